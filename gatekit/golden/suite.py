"""A suite: the cases of a set, the samples of each wherever they come from, and the report on all of them.

Samples are read one at a time and forgotten once they are counted.
"""
from __future__ import annotations

from ..data.redaction import Redaction
from ..data.sample import Sample
from ..formats.strict_json import ONE_A_LINE, object_of_line
from ..ground.errors import CaseError, FormatError, GatekitError, by_line, nearest
from ..ground.files import read_lines
from ..ground.record import Record
from ..judging.rates import Thresholds
from ..judging.report import CaseReport, Report, Stopped, with_lines
from ..judging.tally import Tally, counted
from ..text.quoting import quote
from .document import lines_of
from .folder import Folder

# So many errors of one file are told one by one; the rest of them are counted.
ERRORS_TOLD = 100
_GOES_ON = (b"{", b"[", b",")  # how a line ends whose value goes on in the next


class Selection(Record):
    """Which cases of a set are judged: those that have one of the ids, one of the tags, and one of the levels, as far as any are named."""

    __slots__ = ("ids", "tags", "levels")

    def __init__(self, ids: tuple = (), tags: tuple = (), levels: tuple = ()) -> None:
        self._set(tuple(ids), tuple(tags), tuple(levels))

    def takes(self, case) -> bool:
        """Whether a case is judged."""
        return (
            (not self.ids or case.id in self.ids)
            and (not self.tags or any(tag in self.tags for tag in case.tags))
            and (not self.levels or case.level in self.levels)
        )

    def unmet(self, cases: list, broken: set) -> list:
        """What was asked for that no case has, as errors; not an id that a case has which could not be read."""
        errors = []
        for kind, asked, known in (
            ("id", self.ids, [case.id for case in cases]),
            ("tag", self.tags, [tag for case in cases for tag in case.tags]),
        ):
            for name in asked:
                if name not in known and not (kind == "id" and broken & {name, None}):
                    near = nearest(name, sorted(set(known)))
                    errors.append(GatekitError(f"no case has the {kind} {quote(name)}" + (f": did you mean {quote(near)}?" if near else "")))
        return errors


class Suite:
    """Judges the samples of a set's selected cases."""

    __slots__ = (
        "cases", "errors", "_folder", "_tallies", "_deprecated", "_others", "_progress", "_redaction", "_similar", "_vectors", "_misfits", "_is_whole", "_shard",
        "_most_failures", "_failed", "is_stopped", "_guesses",
    )  # fmt: skip

    def __init__(
        self, folder: Folder, selection: Selection, verbose: bool = False, progress=None, shard=None, tally=Tally, most_failures: int | None = None
    ) -> None:
        """`progress` is called after each sample; `shard` says by `takes(case, sample)` which samples are judged here (None: all).

        `tally` makes what counts the samples of a case. Once `most_failures` samples failed, nothing more is read or judged, and `is_stopped` is true (None: all is judged).
        """
        self._folder = folder
        self._shard = shard
        self._most_failures = most_failures
        self._failed = 0
        self.is_stopped = False
        self.errors = list(folder.errors) + selection.unmet(folder.cases, folder.broken)
        self.cases = [case for case in folder.cases if selection.takes(case)]
        prefixes = {prefix: None for case in self.cases if case.judging for prefix in case.judging.prefixes}
        redaction = self._redaction = Redaction(tuple(prefixes), folder.redaction.masks, folder.redaction)
        self._tallies = {
            case.id: tally(case.judging, case.thresholds, redaction, verbose, self._decide(case.id), alone=shard is not None)
            for case in self.cases
            if not case.deprecated
        }
        self._deprecated = {case.id: 0 for case in self.cases if case.deprecated}
        self._others = {case.id for case in folder.cases} - self._tallies.keys() - self._deprecated.keys()
        self._progress = progress
        self._is_whole = False  # whether the set's own samples were judged, all of them: then a decision that met nothing is out of date
        self._misfits: list = []
        self._guesses: dict = {}  # by an id that no case has, the one that was probably meant
        if folder.decisions is not None:
            from .lock import locked_rules

            locked, faults = locked_rules(folder.locks)
            self._misfits = faults + folder.decisions.settle(folder.cases, locked)
        self._similar = {case.id: case for case in self.cases if _asks_for_vectors(case)}
        self._vectors = folder.vectors
        if self._similar and self._vectors is None:
            from .vectors import Vectors

            self._vectors = Vectors()

    def _decide(self, case: str):
        decisions = self._folder.decisions
        if decisions is None:
            return None
        return lambda rule, sample, outcome: decisions.decide(case, rule, sample, outcome)

    def is_broken(self, case: str) -> bool:
        """Whether a case of that id may stand in a file that could not be read."""
        return bool(self._folder.broken & {case, None})

    def add_answer(self, case: str, output: str) -> None:
        """Judge one answer by one case, and nothing else: so the case's demands on a batch's size do not apply."""
        self._others |= {one.id for one in self.cases} - {case}
        self.cases = [one for one in self.cases if one.id == case]
        self._tallies = {name: tally for name, tally in self._tallies.items() if name == case}
        for tally in self._tallies.values():
            tally.thresholds = Thresholds(tally.thresholds.max_failure_rate, tally.thresholds.max_transient)
        self.add(Sample(output, case=case, sample="output"))

    def add(self, sample: Sample) -> None:
        """Judge a sample by the case that it names. Raises CaseError where there is none, or where its id was counted before."""
        case = sample.fields.get("case")
        tally = self._tallies.get(case)
        if tally is not None:
            if "sample" not in sample.fields:
                raise CaseError('the sample has no id: give it one, as "sample": "run1"')
            if self._shard is not None and not self._shard.takes(case, sample.fields["sample"]):
                return
            similar = self._similar.get(case)
            before = tally.failed_for_good if self._most_failures else 0
            tally.add(self._vectors.joined(sample, similar) if similar is not None else sample)
            if self._most_failures:
                self._failed += tally.failed_for_good - before
                self.is_stopped = self._failed >= self._most_failures
            if self._progress is not None:
                self._progress()
        elif case in self._deprecated:
            self._deprecated[case] += self._shard is None or self._shard.takes(case, sample.fields.get("sample", ""))
        elif case not in self._others:
            self._stranger(case)

    def _stranger(self, case: str | None) -> None:
        if case is None:
            raise CaseError('the sample names no case: add "case" with the id of one')
        broken = self._folder.broken
        if case in broken or None in broken:
            return
        if case not in self._guesses and len(self._guesses) < ERRORS_TOLD:  # of more errors nobody is told
            self._guesses[case] = nearest(case, [case.id for case in self._folder.cases])
        near = self._guesses.get(case)
        mend = f": did you mean {quote(near)}?" if near else ""
        if not self._folder.cases:
            mend = ": no case was given; name the folder or file of its case too, as a PATH beside this one"
        raise CaseError(f"there is no case {quote(case)}{mend}", path=("case",))

    def so_far(self) -> tuple:
        """How many samples were judged so far that gate, and how many of them passed."""
        return counted(self._tallies.values())

    def add_all(self) -> None:
        """Judge the samples that stand in the case files, in the sample files of the set and in its recordings, in this order."""
        self._is_whole = self._shard is None
        for case in self.cases:
            for place, sample in enumerate(case.samples):
                if self.is_stopped:
                    return
                try:
                    self.add(sample)
                except CaseError as error:
                    self.errors.append(error.located(file=case.file, path=("samples", place)))
        for path, name, is_given in self._folder.sample_files:
            self.add_file(path, name, is_given)
        for path, name, is_given in self._folder.recordings:
            self._add_recording(path, name, is_given)

    def _add_recording(self, path: str, name: str, is_given: bool) -> None:
        """Judge the conversation of a recording by the case that it names. One that names none is checked, and held to its scenario by `regress`."""
        from ..replay.recording import recorded_sample

        if self.is_stopped:
            return
        try:
            sample = recorded_sample(path, name, self._folder.redaction)
            if sample is not None and (is_given or self._knows(sample)):
                self.add(sample)
        except GatekitError as error:
            self.errors.append(error if error.file else error.located(file=name))

    def add_file(self, path: str | None, name: str, is_given: bool = True) -> None:
        """Judge the samples of a file, or of the standard input where `path` is None. Errors carry the line, and the rest is judged.

        Of a file that was not given, the samples of cases that are not known are passed over.
        """
        faults = _Faults(name, self._redaction)
        end = None
        try:
            for number, line in () if self.is_stopped else read_lines(path, name):
                try:
                    if self._add_line(number, line, is_given):
                        faults.between()
                except GatekitError as error:
                    faults.add(number, line, error)
                if self.is_stopped:
                    break
        except GatekitError as error:
            end = error
        self.errors += faults.told()
        if end is not None:
            self.errors.append(end)

    def _knows(self, sample: Sample) -> bool:
        return sample.case in self._tallies or sample.case in self._deprecated

    def _add_line(self, number: int, line: bytes, is_given: bool) -> bool:
        """Judge the sample of a line; gives whether the line held one."""
        mapping = object_of_line(line, number)
        if mapping is None:
            return False
        sample = Sample.from_json(mapping)
        if is_given or self._knows(sample):
            self.add(sample)
        return True

    def report(self) -> Report:
        """The report on all that was judged, cases in the order of their ids."""
        if self._most_failures:
            self._failed = sum(tally.failed for tally in self._tallies.values())
            self.is_stopped = self._failed >= self._most_failures  # now that no earlier attempt comes any more
        reports, faults, shown = [], [], self._redaction.id
        not_judged = self._not_judged()
        left_out = frozenset(not_judged)
        cases = sorted((case for case in self.cases if case.id not in left_out), key=lambda case: case.id)
        for case in cases:
            tally = self._tallies.get(case.id)
            owner = case.fields.get("owner")
            about = {"description": case.description and self._redaction.text(case.description), "tags": tuple(map(shown, case.tags)), "owner": owner and shown(owner)}
            if tally is None:
                reports.append(CaseReport(shown(case.id), case.file and shown(case.file), case.level, None, {}, (), 0, self._deprecated[case.id], **about))
            else:
                reports.append(tally.report(case.id, case.file, case.level, unfinished=self.is_stopped, **about))
                faults += [fault.located(file=case.file) for fault in tally.faults.values()]
        reports = with_lines(reports, lambda place, rules: self._lines(cases[place], rules))
        errors = self._all_errors(faults)
        used = ((), ()) if self._folder.decisions is None else self._folder.decisions.used()
        overrides, reviews = (tuple(map(self._redaction.text, words)) for words in used)
        stopped = Stopped(self._most_failures, self._failed, self.so_far()[0], tuple(map(shown, not_judged))) if self.is_stopped else None
        return Report(tuple(reports), tuple(map(self._redaction.error, errors)), overrides, reviews, files=self._ways(errors), stopped=stopped)

    def counted(self) -> list:
        """What was counted of each case that gates, as `(case, tally)` in the order of the files. Raises the first error of the set."""
        pairs = [(case, self._tallies[case.id]) for case in self.cases if not case.deprecated]
        for error in self._all_errors([fault.located(file=case.file) for case, tally in pairs for fault in tally.faults.values()]):
            raise self._redaction.error(error)
        return pairs

    def _all_errors(self, faults: list) -> list:
        """The errors met so far, those of rules, and those of vectors and decisions."""
        vectors, decisions = self._folder.vectors, self._folder.decisions
        errors = self.errors + faults + (vectors.errors if vectors else [])
        if decisions is not None:
            known = {case.id for case in self._folder.cases} | self._folder.broken
            unused = decisions.unused(self._tallies) if self._is_whole and not self.is_stopped else []
            strangers = decisions.strangers(known) if None not in known else []
            errors = errors + by_line(decisions.errors + self._misfits + unused + strangers)
        return errors

    def _not_judged(self) -> list:
        """The ids of the cases that a stopped run did not come to, sorted."""
        return sorted(id for id, tally in self._tallies.items() if not tally.statuses) if self.is_stopped else []

    def _ways(self, errors: list) -> dict:
        """The ways to the files of cases and errors, by the names that these have in the report, as far as the two differ."""
        shown, ways = self._redaction.id, {}
        for name in dict.fromkeys([*(case.file for case in self.cases), *(error.file for error in errors)]):
            if name is not None and self._folder.way_to(name) != name:
                ways[shown(name)] = shown(self._folder.way_to(name))
        return ways

    def _lines(self, case, rules: list) -> dict:
        """The lines of the case's file in which rules stand, but for those that another file brings to every case."""
        if case.file not in self._folder.paths:
            return {}
        paths = {rule.label: rule.path for rule in case.judging.rules if rule.path and rule.label in rules}
        return lines_of(paths, self._folder.paths[case.file], case.file) if paths else {}


class _Faults:
    """The errors of the lines of one file, so many of them as are told. A value that is spread over lines is one error, not one for each of its lines."""

    __slots__ = ("_name", "_redaction", "_told", "_more", "_opening", "_is_spread", "_was_spread")

    def __init__(self, name: str, redaction: Redaction) -> None:
        self._name = name
        self._redaction = redaction
        self._told: list = []
        self._more = 0
        self._opening: tuple | None = None  # a line that may be the first one of a value, as (number, line, error)
        self._is_spread = self._was_spread = False

    def add(self, number: int, line: bytes, error: GatekitError) -> None:
        """Take in the error of a line."""
        if isinstance(error, FormatError):
            text = line.strip()
            goes_on = text.endswith(_GOES_ON)
            if self._is_spread and (goes_on or not text.startswith(b"{")) or self._was_spread and not text.strip(b"]},"):
                return
            if self._opening is not None:
                first, opened, _ = self._opening
                self._opening = None
                self._is_spread = self._was_spread = True
                self._tell(first, opened, FormatError(f"a value begins here and goes on in the lines below: {ONE_A_LINE}"))
                return
            if goes_on:
                self._opening = (number, line, error)
                return
        self.between()
        self._tell(number, line, error)

    def between(self) -> None:
        """A line that is a value by itself stands here: one before it that may have begun a longer one did not."""
        self._is_spread = False
        if self._opening is not None:
            opening, self._opening = self._opening, None
            self._tell(*opening)

    def told(self) -> list:
        """The errors, at the end of the file."""
        self.between()
        return self._told + ([GatekitError(f"and {self._more} more errors in this file", file=self._name)] if self._more else [])

    def _tell(self, number: int, line: bytes, error: GatekitError) -> None:
        if len(self._told) == ERRORS_TOLD:
            self._more += 1
            return
        self._told.append(self._redaction.error_of_line(error, line, self._name, number))


def _asks_for_vectors(case) -> bool:
    return case.judging is not None and any(matcher.type == "embedding_similarity" for rule in case.judging.rules for matcher in rule.matcher.every())


def judge(*paths: str) -> Report:
    """The report on all cases and samples below some folders or in some files: what `python -m gatekit PATH...` reports.

    What cannot be read is an error of the report, and the rest is judged.
    """
    folder = Folder([str(path) for path in paths])
    suite = Suite(folder, Selection())
    suite.add_all()
    return suite.report()
