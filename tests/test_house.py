"""The house: what modules may import, and that floors import downwards only."""
import ast
import os
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "gatekit")
CORE = {"__future__", "re", "json", "hashlib", "unicodedata"}
EDGE_ONLY = {"sys", "os", "argparse", "asyncio"}
EDGE = {"__main__.py", "ground/files.py", "cli/main.py", "cli/candidate.py", "cli/reporting.py", "cli/terminal.py"}
FLOORS = {"ground": 1, "text": 2, "formats": 2, "packs": 2, "data": 3, "matchers": 4, "invariants": 4, "judging": 5, "golden": 6, "replay": 6, "runs": 6, "reports": 7, "cli": 8}
TOP = {"pyproject.toml", "gatekit", "tests", "examples", "README.md", "CHANGELOG.md"}


def modules():
    """Each module of the package: its path below the package, and its syntax tree."""
    found = {}
    for folder, folders, leaves in os.walk(PACKAGE):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for leaf in leaves:
            if leaf.endswith(".py"):
                path = os.path.join(folder, leaf)
                with open(path, encoding="utf-8") as source:
                    found[os.path.relpath(path, PACKAGE).replace(os.sep, "/")] = ast.parse(source.read())
    return found


def for_type_checkers(nodes):
    """The nodes below `if TYPE_CHECKING:`, which never run."""
    return {
        id(node)
        for branch in nodes
        if isinstance(branch, ast.If) and isinstance(branch.test, ast.Name) and branch.test.id == "TYPE_CHECKING"
        for statement in branch.body
        for node in ast.walk(statement)
    }


def imports(path, nodes):
    """Each import of a module that can run: (top module, None) from outside, (None, module of the package) from inside."""
    hidden = for_type_checkers(nodes)
    here = path.split("/")[:-1]
    for node in nodes:
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.split(".")[0], None
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - (node.level - 1)] + (node.module.split(".") if node.module else [])
            for alias in node.names:
                inner = "/".join(base + [alias.name]) + ".py"
                yield None, inner if os.path.exists(os.path.join(PACKAGE, inner)) else "/".join(base) + ".py"


class House(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.modules = modules()
        # Walked once for all tests: a walk through all modules takes longer than what is asked of it.
        cls.nodes = {path: list(ast.walk(tree)) for path, tree in cls.modules.items()}
        cls.imported = {path: list(imports(path, nodes)) for path, nodes in cls.nodes.items()}

    def test_there_are_modules(self):
        self.assertGreater(len(self.modules), 30)

    def test_only_allowed_modules_are_imported(self):
        for path, tree in self.modules.items():
            allowed = CORE | EDGE_ONLY if path in EDGE else CORE
            for outside, _ in self.imported[path]:
                if outside is not None:
                    self.assertIn(outside, allowed, f"{path} imports {outside}")

    def test_asyncio_stands_inside_one_branch(self):
        for path, tree in self.modules.items():
            for node in tree.body:
                if isinstance(node, ast.Import):
                    self.assertNotIn("asyncio", [alias.name for alias in node.names], path)

    def test_the_edge_is_what_it_says(self):
        touching = {path for path, tree in self.modules.items() if {outside for outside, _ in self.imported[path]} & EDGE_ONLY}
        self.assertEqual(touching, EDGE)

    def test_floors_import_downwards(self):
        for path, tree in self.modules.items():
            if "/" not in path:
                continue
            floor = FLOORS[path.split("/")[0]]
            for _, inside in self.imported[path]:
                if inside is not None and "/" in inside:
                    self.assertLessEqual(FLOORS[inside.split("/")[0]], floor, f"{path} imports {inside}, on a floor above")

    def test_no_circles(self):
        arrows = {path: {inside for _, inside in self.imported[path] if inside in self.modules} for path, tree in self.modules.items()}
        arrows = {path: {inside for inside in targets if not inside.endswith("__init__.py")} for path, targets in arrows.items()}
        done, open_ones = set(), []

        def visit(path):
            self.assertNotIn(path, open_ones, f"a circle of imports: {open_ones}")
            if path in done:
                return
            open_ones.append(path)
            for target in sorted(arrows[path]):
                visit(target)
            open_ones.pop()
            done.add(path)

        for path in sorted(arrows):
            visit(path)

    def test_nothing_runs_code_from_text(self):
        for path, tree in self.modules.items():
            for node in self.nodes[path]:
                self.assertNotIsInstance(node, ast.Assert, f"{path}: assert is gone under -O")
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    self.assertNotIn(node.func.id, ("eval", "exec"), path)

    def test_of_the_environment_only_one_name_is_read(self):
        for path, tree in self.modules.items():
            asked = [ast.unparse(node) for node in self.nodes[path] if isinstance(node, ast.Call) and "environ" in ast.unparse(node.func)]
            read = [node for node in self.nodes[path] if isinstance(node, ast.Attribute) and node.attr in ("environ", "environb", "getenv")]
            self.assertEqual((asked, len(read)), (["os.environ.get('NO_COLOR')"], 1) if path == "cli/terminal.py" else ([], 0), path)

    def test_every_module_says_what_it_is(self):
        for path, tree in self.modules.items():
            self.assertTrue(ast.get_docstring(tree), f"{path} has no docstring")

    def test_public_names_are_documented(self):
        import gatekit

        for name in gatekit.__all__:
            self.assertTrue((getattr(gatekit, name).__doc__ or "").strip(), name)
            self.assertIn(name, dir(gatekit))
        self.assertFalse(hasattr(gatekit, "nothing_of_that_name"))

    def test_type_checkers_see_the_same_names(self):
        import gatekit

        [branch] = [node for node in self.modules["__init__.py"].body if isinstance(node, ast.If)]
        seen = {alias.asname: node.module for node in branch.body for alias in node.names}
        self.assertEqual(seen, gatekit._HOMES)

    def test_version_is_a_literal(self):
        values = [
            node.value.value
            for node in self.modules["__init__.py"].body
            if isinstance(node, ast.Assign) and node.targets[0].id == "__version__" and isinstance(node.value, ast.Constant)
        ]
        self.assertEqual(len(values), 1)


if __name__ == "__main__":
    unittest.main()
