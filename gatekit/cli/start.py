"""`init` and `schema`: for the first day, and for the editor."""
from __future__ import annotations

import json

from ..golden.dates import is_date
from ..golden.starter import starter_files
from ..ground.errors import nearest
from ..ground.files import is_there, join, make_folder, spelt, write_file
from ..text.quoting import quote, visible
from .candidate import import_plugins
from .options import HELP_OPTION, PLUGIN, Option, UsageError, option_lines, parse

OPTIONS = {
    "init": (Option("--date", "YYYY-MM-DD", "the date that the cases say they were written on (there is no clock here); needed"), HELP_OPTION),
    "schema": (PLUGIN, HELP_OPTION),
}
SCHEMAS = ("case", "report")
HELP = {
    "init": """\
usage: python -m gatekit init DIR --date YYYY-MM-DD

Write a commented starter set of cases into a new folder. It passes lint and runs.

options:
{options}

exit codes: 0 the set was written, 4 bad usage, or it cannot be written
""",
    "schema": """\
usage: python -m gatekit schema [case | report]

Print the JSON Schema of a case file (the default), for editors that complete and check YAML and
JSON, or that of the JSON report, for programs that read it.

options:
{options}

exit codes: 0 it was printed, 4 bad usage
""",
}


def init(words: list) -> tuple:
    """Run `init`; gives the exit code and what is to be printed."""
    given, paths = parse(words, OPTIONS["init"])
    if given["help"]:
        return 0, HELP["init"].format(options="\n".join(option_lines(OPTIONS["init"])))
    if len(paths) != 1:
        raise UsageError("name one folder to write: python -m gatekit init DIR --date 2026-01-31")
    if given["date"] is None or not is_date(given["date"]):
        raise UsageError("name the date that the cases are written on: --date 2026-01-31")
    if is_there(paths[0]):
        raise UsageError(f"{quote(spelt(paths[0]))} is there already: name a new folder, nothing is overwritten")
    make_folder(paths[0], spelt(paths[0]))
    files = starter_files(given["date"])
    for name, content in files.items():
        write_file(join(paths[0], name), content.encode("utf-8"), name)
    folder = visible(spelt(paths[0]))
    return 0, "".join(f"{folder}/{name}\n" for name in files) + f"now: python -m gatekit {folder}\n"


def schema(words: list) -> tuple:
    """Run `schema`; gives the exit code and what is to be printed."""
    given, paths = parse(words, OPTIONS["schema"])
    if given["help"]:
        return 0, HELP["schema"].format(options="\n".join(option_lines(OPTIONS["schema"])))
    if len(paths) > 1:
        raise UsageError("name one schema: python -m gatekit schema report")
    made = _schema_of(paths[0] if paths else SCHEMAS[0], given["plugin"])
    return 0, json.dumps(made, indent=1, ensure_ascii=True) + "\n"


def _schema_of(name: str, plugins: list) -> dict:
    if name not in SCHEMAS:
        near = nearest(name, SCHEMAS)
        raise UsageError(f"there is no schema {quote(name)}" + (f": did you mean {near}?" if near else f": there are {' and '.join(SCHEMAS)}"))
    if name == "report":
        from ..reports.report_schema import report_schema

        if plugins:
            raise UsageError("--plugin adds rules to the schema of a case, and a report is the same with any: leave it out")
        return report_schema()
    from ..golden.case_schema import case_schema

    import_plugins(plugins)
    return case_schema()
