"""`lint` and `lock`: the policy for changing a golden set, checked and agreed on."""
from __future__ import annotations

from ..golden.document import placed
from ..golden.folder import LOOKED_FOR, Folder
from ..golden.lint import lint as lint_cases
from ..golden.lint import NOT_LOCKED, without_case
from ..golden.lock import FILE, Lock, read_lock
from ..ground.errors import GatekitError, by_line
from ..ground.files import is_file, is_folder, is_there, join, spelt, write_file
from ..text.quoting import visible
from .candidate import import_plugins
from .options import HELP_OPTION, PLUGIN, UsageError, option_lines, parse

OPTIONS = (PLUGIN, HELP_OPTION)

HELP = {
    "lint": """\
usage: python -m gatekit lint FOLDER

Check a golden set against the policy for changing it: audit trails, the lock (gatekit.lock),
overrides.

options:
{options}

exit codes: 0 the policy holds, 1 it does not, 2 there is no case, 4 something could not be read
""",
    "lock": """\
usage: python -m gatekit lock FOLDER

Write gatekit.lock, the digests of what each case demands, once lint is content.

options:
{options}

exit codes: 0 the lock was written, 1 lint fails and nothing was written, 2 there is no case,
4 something could not be read
""",
}


def lint(words: list) -> tuple:
    """Run `lint`; gives the exit code and what is to be printed."""
    return _run("lint", words)


def lock(words: list) -> tuple:
    """Run `lock`; gives the exit code and what is to be printed."""
    return _run("lock", words)


def _run(command: str, words: list) -> tuple:
    given, paths = parse(words, OPTIONS)
    if given["help"]:
        return 0, HELP[command].format(options="\n".join(option_lines(OPTIONS)))
    import_plugins(given["plugin"])
    if len(paths) != 1 or not is_folder(paths[0]):
        raise UsageError(f"name one folder of cases: python -m gatekit {command} FOLDER")
    set_folder, path = Folder(paths), join(paths[0], FILE)
    errors = set_folder.errors + [error for part in (set_folder.decisions, set_folder.vectors) if part is not None for error in part.errors]
    shown = set_folder.redaction.text
    if errors or not set_folder.cases:
        lines = [f"error: {error}" for error in errors] or [f"there is no case below {spelt(paths[0])}: {LOOKED_FOR}"]
        return (4 if errors else 2), _text(lines, shown)
    if is_there(path) and not is_file(path):
        raise GatekitError("it is no regular file: the lock cannot be read", file=FILE)
    locked = read_lock(path, FILE) if is_file(path) else None
    recorded = without_case(set_folder.sample_files, set_folder.recordings, {case.id for case in set_folder.cases} | set_folder.broken)
    found = lint_cases(set_folder.cases, locked, set_folder.decisions, recorded)
    hints = [hint for hint in found.hints if command != "lock" or hint != NOT_LOCKED]  # that is being done
    lines = [str(failure) for failure in by_line(_placed(failure, paths[0]) for failure in found.failures)] + [f"hint: {words}" for words in hints]
    if found.failures:
        return 1, _text([*lines, f"{len(found.failures)} against the policy" + ("; the lock was not written" if command == "lock" else "")], shown)
    if command == "lock":
        write_file(path, Lock.of(set_folder.cases).text().encode("utf-8", "backslashreplace"), FILE)
        return 0, _text([*lines, f"{FILE}: {len(set_folder.cases)} cases locked"], shown)
    return 0, _text([*lines, f"{len(set_folder.cases)} cases, and the policy holds"], shown)


def _placed(failure: GatekitError, folder: str) -> GatekitError:
    """A failure with the line of the field that it is about; what is about no field that is there stands at the beginning of the file."""
    return placed(failure, join(folder, failure.file), failure.file) if failure.file and failure.line is None else failure


def _text(lines: list, shown) -> str:
    return "".join(visible(shown(line)) + "\n" for line in lines)
