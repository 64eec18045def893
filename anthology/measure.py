"""Measuring claims: plan what is missing, have it run, keep it, judge it.

Every finished seed goes to the claim's journal at once and into its run file when the test
is over, or when something ends the whole: Ctrl-C, a budget. The next run begins there.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from anthology import history, journal, keys, plans, runs, verify, workers
from anthology.errors import AnthologyError
from anthology.journal import Entry, Journal
from anthology.judge import Verdict, judge, unjudgeable
from anthology.runfile import Result, Run, TestRun, rounded, stated

if TYPE_CHECKING:
    from pathlib import Path

    from anthology.plans import Item, Plan
    from anthology.records import Claim, Test
    from anthology.runs import Claims

MEMORY = 4 << 30  # bytes that an experiment may hold where nobody says otherwise

# done, to do, what was just finished
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to measure.

    Attributes:
        rerun: Measure again what is fresh.
        jobs: Experiments that run at once.
        device: What torch computes on; empty for what each experiment declares.
        seeds: Measure only the first so many seeds; 0 is all of them.
        budget: Seconds after which nothing more is measured; 0 is no limit.
        limit: Seconds that one seed may take; 0 goes by what its experiment expects.
        memory: Bytes that an experiment may hold; 0 is no limit.
        keep_going: Measure a test's other seeds after one of them failed.
        progress: Is called after each seed.
        runner: What takes the jobs and yields what comes back: children on this machine.

    """

    rerun: bool = False
    jobs: int = 1
    device: str = ""
    seeds: int = 0
    budget: float = 0.0
    limit: float = 0.0
    memory: int = MEMORY
    keep_going: bool = False
    progress: Progress | None = None
    runner: Callable[..., Generator[workers.Event, None, None]] = workers.run


@dataclass(eq=False)
class _Test:
    """One test under way."""

    claim: Claim
    test: Test
    plan: Plan
    old: TestRun | None
    stored: dict[tuple[str, str, int], Result] = field(default_factory=dict)
    found: dict[tuple[str, str, int], Result] = field(default_factory=dict)
    todo: list[Item] = field(default_factory=list)
    jobs: int = 0  # that are not over
    error: str = ""
    measured: bool = False  # whether anything was measured now
    seconds: float = 0.0
    memory: float = 0.0
    environment: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> tuple[str, str]:
        return self.claim.id, self.test.name


def run(corpus: Claims, names: Iterable[str], options: Options | None = None) -> dict[str, Verdict]:
    """Measure what of the claims is missing or stale, and return their verdicts.

    Raises:
        BusyError: Another process measures one of them.

    """
    return _Session(corpus, list(names), options or Options()).run()


def pending(
    corpus: Claims, names: Iterable[str], options: Options | None = None
) -> dict[tuple[str, str], tuple[int, str]]:
    """Return what `run` would measure: claim and test to how many items, and why. Runs nothing."""
    session = _Session(corpus, list(names), options or Options(), dry=True)
    for name, claim in session.claims.items():
        session.prepare(name, claim)
    found: dict[tuple[str, str], tuple[int, str]] = {}
    for key, test in session.tests.items():
        if test.todo:
            found[key] = len(test.todo), _reason(corpus, test, session.options)
    for name, faults in session.faults.items():
        found |= {(name, test): (0, f"cannot be run: {fault}") for test, fault in faults.items()}
    return found


# What differs between two runs that measured the same.
_CIRCUMSTANCES = ("commit", "dirty", "seconds", "memory")


def _known(new: TestRun, old: TestRun | None) -> TestRun:
    """Return the stored run where the new one says nothing else: a rerun then changes no file."""
    if old is None:
        return new
    same: dict[str, Any] = {name: getattr(new, name) for name in _CIRCUMSTANCES}
    return old if replace(old, **same) == new else new


def _reason(corpus: Claims, test: _Test, options: Options) -> str:
    if test.old is None:
        return "not run yet"
    said = [said for _, said in verify.changes(corpus, test.test, test.old)]
    return "; ".join(said) or ("asked for" if options.rerun else "not finished")


class _Session:
    """One run over several claims."""

    def __init__(
        self, corpus: Claims, names: list[str], options: Options, *, dry: bool = False
    ) -> None:
        self.corpus, self.options, self.dry = corpus, options, dry
        self.claims = {name: corpus.claims[name] for name in names}
        self.files = runs.files(corpus)
        self.stored: dict[str, Run] = {}
        self.faults: dict[str, dict[str, str]] = {}
        self.tests: dict[tuple[str, str], _Test] = {}
        self.journals: dict[str, Journal] = {}
        self.unreadable: dict[str, str] = {}
        self.planned: set[str] = set()  # all of whose tests are taken up

    def run(self) -> dict[str, Verdict]:
        try:
            for name, claim in self.claims.items():
                self.prepare(name, claim)
            self._measure()
        finally:
            for test in self.tests.values():
                self._keep(test)
            for name, log in self.journals.items():
                faults = self.faults.get(name, {})
                folded = name in self.planned and all((name, each) in self.tests for each in faults)
                log.close(delete=folded)
        return {name: self._verdict(name) for name in self.claims}

    def _verdict(self, name: str) -> Verdict:
        claim = self.claims[name]
        if reason := verify.nothing_to_run(claim):
            return Verdict("untested", reason)
        if name in self.unreadable:
            return Verdict("error", self.unreadable[name])
        return verify.of(self.corpus, claim, self.stored.get(name), self.faults.get(name, {}))

    # ---------------------------------------------------------------- before

    def prepare(self, name: str, claim: Claim) -> None:
        if verify.nothing_to_run(claim):
            return
        try:
            if name in self.files:
                self.stored[name] = runs.read(self.files[name])
        except AnthologyError as error:
            if not self.options.rerun:
                self.unreadable[name] = f"its run file {error}; --rerun writes a new one"
                return
        for test in claim.tests:
            if unjudgeable(plans.criterion(claim, test)):
                continue
            try:
                plan = plans.make(self.corpus.config, test, self.options.device)
            except plans.PlanError as error:
                self.faults.setdefault(name, {})[test.name] = str(error)
                continue
            old = self.stored[name].tests.get(test.name) if name in self.stored else None
            self._plan(_Test(claim, test, plan, old))
        self.planned.add(name)

    def _plan(self, test: _Test) -> None:
        """Find out what of a test is measured already, and what is to do."""
        name, parts = test.claim.id, test.plan.parts
        if parts.get("torch") == "" and test.old is not None:  # unknown here, so not changed
            parts = {**parts, "torch": test.old.parts.get("torch", "")}
            test.plan = replace(test.plan, parts=parts)
        if not self.dry and name not in self.journals and self._writes(test):
            self.journals[name] = Journal(self.corpus.config, name)
        test.stored |= plans.usable(test.old, parts)
        if name in self.journals:
            self._resume(test, self.journals[name])
        most = self.options.seeds or parts["seeds"]
        known = {} if self.options.rerun else test.stored
        test.todo = [
            item
            for item in test.plan.items()
            if (item.control, item.arm, item.seed) not in known and item.seed < most
        ]
        if test.todo and test.plan.torch and not keys.torch_minor():
            said = "it needs torch, which is not installed: pip install 'anthology-record[verify]'"
            self.faults.setdefault(name, {})[test.test.name] = said
            return
        self.tests[test.name] = test

    def _resume(self, test: _Test, log: Journal) -> None:
        """Take up what a run that was cut short had measured."""
        parts = test.plan.parts
        for entry in log.entries():
            same = entry.control in ("", *parts["controls"]) and entry.arm in parts["arms"]
            if entry.test != test.test.name or not same:
                continue
            if entry.identity == plans.identity(parts, entry.control, entry.arm):
                result = Result(metrics=entry.metrics, series=entry.series)
                test.stored[entry.control, entry.arm, entry.seed] = result
                test.seconds += entry.seconds
                test.memory = max(test.memory, entry.memory)
                test.environment = dict(entry.environment)
                test.measured = True

    def _writes(self, test: _Test) -> bool:
        """Whether there is something to measure, or left by a run that was cut short."""
        if self.options.rerun or test.old is None or self._left(test.claim.id):
            return True
        usable = plans.usable(test.old, test.plan.parts)
        return any((i.control, i.arm, i.seed) not in usable for i in test.plan.items())

    def _left(self, name: str) -> bool:
        return journal.path(self.corpus.config, name).exists()

    # ---------------------------------------------------------------- during

    def _measure(self) -> None:
        todo = [test for test in self.tests.values() if test.todo]
        total = sum(len(test.todo) for test in todo)
        if not total:
            return
        options = self.options
        jobs = list(self._jobs(todo))
        events = options.runner(
            jobs,
            count=max(1, min(options.jobs, len(jobs))),
            memory=options.memory,
            deadline=time.monotonic() + options.budget if options.budget else None,
            keep_going=options.keep_going,
        )
        with contextlib.closing(events):  # ends the children, whatever happens here
            self._follow(events, total)

    def _follow(self, events: Iterable[workers.Event], total: int) -> None:
        """Keep what comes back, and write a test when nothing more of it will."""
        done = 0
        for event in events:
            test = self.tests[event.job.test]
            if isinstance(event, workers.Ended):
                test.jobs -= 1
                if not test.jobs:
                    self._keep(test)
                continue
            done += 1
            if isinstance(event, workers.Found):
                self._take(test, event)
            elif event.absent:  # no fault of the experiment: what is stored is left alone
                self.faults.setdefault(test.claim.id, {})[test.test.name] = event.error
            else:
                at = f" ({_place(event.item)})" if event.item is not None else ""
                test.error = test.error or f"{event.error}{at}"
            if self.options.progress is not None:
                self.options.progress(done, total, test.claim.id)

    def _jobs(self, todo: list[_Test]) -> Iterator[workers.Job]:
        """Share the items out: whole tests, or parts of them where there are too few."""
        shares = max(1, self.options.jobs // len(todo))
        for test in todo:
            count = min(shares, len(test.todo))
            for share in range(count):
                test.jobs += 1
                yield workers.Job(
                    test=test.name,
                    place=test.plan.place,
                    torch=test.plan.torch,
                    device=test.plan.parts["device"],
                    limit=self.options.limit or test.plan.limit,
                    items=tuple(test.todo[share::count]),
                )

    def _take(self, test: _Test, event: workers.Found) -> None:
        item, parts = event.item, test.plan.parts
        series = rounded(event.series)
        entry = Entry(
            test.test.name, plans.identity(parts, item.control, item.arm),
            item.control, item.arm, item.seed, event.metrics, series,
            round(event.seconds, 6), event.memory, event.environment,
        )  # fmt: skip
        self.journals[test.claim.id].append(entry)
        result = Result(metrics=event.metrics, series=series)
        test.found[item.control, item.arm, item.seed] = result
        test.seconds += event.seconds
        test.measured = True
        test.memory = max(test.memory, event.memory)
        test.environment = dict(event.environment)

    # ---------------------------------------------------------------- after

    def _keep(self, test: _Test) -> None:
        """Write what there is of a test into its claim's run file."""
        name = test.claim.id
        if not test.stored and not test.found and not test.error:
            return  # nothing new, and nothing that was measured is thrown away
        kept = _known(self._folded(test), test.old)
        stored = self.stored.get(name)
        text = keys.text(test.claim.text)
        if stored is not None and not test.measured and not self.options.rerun:
            text = stored.text
        tests = {**(stored.tests if stored is not None else {}), test.test.name: kept}
        known = {each.name for each in test.claim.tests}
        run = Run(claim=name, text=text, tests={k: v for k, v in tests.items() if k in known})
        if run == stored:
            return
        target = runs.write(self.corpus.config, run)
        former = self.files.get(name)
        if former is not None and former != target:
            former.unlink(missing_ok=True)  # under the id that the claim had then
        self.files[name], self.stored[name] = target, run
        test.old, test.measured = kept, False

    def _folded(self, test: _Test) -> TestRun:
        """Return a test as its run file is to hold it."""
        parts, old = test.plan.parts, test.old
        arms: dict[str, dict[int, Result]] = {}
        controls: dict[str, dict[str, dict[int, Result]]] = {}
        # A rerun that was cut short takes nothing away.
        for (control, arm, seed), result in (test.stored | test.found).items():
            if seed < parts["seeds"]:
                group = controls.setdefault(control, {}) if control else arms
                group.setdefault(arm, {})[seed] = result
        criteria = verify.judgement(test.claim, test.test)
        kept = TestRun(
            parts=parts, criteria=criteria, arms=arms, controls=controls, error=test.error
        )
        verdict = judge(plans.criterion(test.claim, test.test, parts), kept.measured())
        update: dict[str, Any] = {"verdict": stated(verdict)}
        if old is not None and old.arms and not keys.changes(old.parts, parts):
            seen = old.seen or old.criteria
            update["seen"] = {} if seen == criteria else seen
        if old is not None and not test.measured:
            same = ("environment", "commit", "dirty", "seconds", "memory")
            update |= {name: getattr(old, name) for name in same}
        else:
            goes_on = not self.options.rerun and plans.usable(old, parts)
            before = old if goes_on else None
            update["commit"], update["dirty"] = _git(self.corpus.config.root, parts["code"])
            update["environment"] = test.environment or (before.environment if before else {})
            update["seconds"] = round(test.seconds + (before.seconds if before else 0), 3)
            update["memory"] = max(round(test.memory / 1e6), before.memory if before else 0)
        return replace(kept, **update)


def _place(item: Item) -> str:
    control = f"control {item.control}, " if item.control else ""
    arm = f"arm {item.arm}, " if item.arm != "main" else ""
    return f"{control}{arm}seed {item.seed}"


def _git(root: Path, code: Mapping[str, str]) -> tuple[str, str]:
    """Return the commit that the code stands at, and a digest where it differs from it."""
    commit = history.git(root, "rev-parse", "HEAD").strip()
    if not commit or not history.git(root, "status", "--porcelain", "--", *code):
        return commit, ""
    digest = hashlib.sha256()
    for name in sorted(code):
        path = root / name
        digest.update(name.encode() + b"\0" + (path.read_bytes() if path.is_file() else b""))
    return commit, digest.hexdigest()[:16]
