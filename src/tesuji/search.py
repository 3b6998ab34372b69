"""The search on a position, and what it found."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from tesuji import _core
from tesuji.checks import check_integer, check_memory, check_positive, check_seed
from tesuji.engines import EngineSpec, parse_engine
from tesuji.errors import ArgumentError, GameError, GameStateError, SearchBusyError, UnsuitedEngineError, shown
from tesuji.games.compiled import CompiledGame
from tesuji.games.own import AnyPosition, Game, OwnPosition
from tesuji.games.position import Position
from tesuji.given_knowledge import core_evaluator, core_model, core_policy, core_solver
from tesuji.search_result import MoveStatistics, SearchResult, TreeNode

if TYPE_CHECKING:
    from tesuji.knowledge import Evaluator, Model, Policy
    from tesuji.own_rules import FinalScore, Score, Selection
    from tesuji.semeai import Verdict
    from tesuji.tree import Tree

__all__ = [
    "DEFAULT_MEMORY",
    "MAX_BATCH",
    "MAX_PLAYOUTS",
    "MAX_THREADS",
    "MIN_MEMORY",
    "NOT_RUN",
    "MoveStatistics",
    "RootMove",
    "RunReport",
    "Search",
    "SearchResult",
    "TreeNode",
]

DEFAULT_MEMORY = 2**30
MIN_MEMORY = 2**16
MAX_PLAYOUTS = 2**32 - 1  # a node counts its visits in 32 bits
MAX_BATCH = 65_536
MAX_THREADS = 1024

# Nobody asks for more levels of a tree than the core can count.
_DEEPEST = 2**31 - 1

# What a result keeps of the tree for to_dot(): a picture of more than this cannot be read.
_TREE_DEPTH = 6
_TREE_SHARE = 100


class RootMove(NamedTuple):
    """What can be seen of a move at a glance; `value` and `proven` as in `MoveStatistics`."""

    move: Any
    visits: int
    value: float
    proven: str | None = None


class RunReport(NamedTuple):
    """What a run spent and what ended it; before the first one nothing has been spent."""

    playouts: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    stopped_by: str = "not run"


NOT_RUN = RunReport()


class Search:
    """A Monte-Carlo tree search that can be run in pieces, and follows the game with `advance`.

    >>> search = Search(Go(9), "uct(c=0.4)", seed=1)
    >>> result = search.run(playouts=10_000)
    >>> search.advance(result.best_move)

    With one thread and a seed everything repeats exactly. The tree takes at most `max_memory` (bytes, or text such as
    "512MB"); when it is full the search goes on without growing it, and the result says so with `tree_full`.

    Several `threads`, up to 1024, share the work as the engine's `parallel=` says: on one tree, or with `parallel=root`
    each on a tree of its own, within its equal part of `max_memory`. Results then do not repeat exactly, whatever the
    seed. Budgets are those of all threads together: so many playouts in all, and `cpu_seconds` is the sum of what each
    thread spent. The games of this package and compiled ones run at full speed. Games, evaluators and policies that are
    written in Python are called from all threads, one at a time, since the interpreter's lock lets no more in.

    A `model` of the game (from `tesuji.knowledge.load`) gives the moves of each node their priors P(m), for the parts
    `bias`, `widening` and `puct`; an evaluator's priors go before. A `solver`, a function that gives a
    `tesuji.semeai.Verdict` of a position, takes the place of the game's own in the part `semeai`.

    `selection` and `final` are rules written in Python, in place of the engine's; see `tesuji.own_rules`.

    `tree` is one that `tree()` gave, for the same position and engine, perhaps read from a file: the search goes on
    with it, and without a seed with its random numbers too, as if it had never stopped.
    """

    #: Whether playouts are made elsewhere while others are backed up here; see tesuji.cluster.fast_tree.
    _plays_elsewhere = False

    def __init__(
        self,
        position: AnyPosition | Game,
        engine: str | EngineSpec = "uct",
        *,
        threads: int = 1,
        seed: int | None = None,
        max_memory: int | str = DEFAULT_MEMORY,
        evaluator: Evaluator | None = None,
        batch: int = 1,
        policy: Policy | Any = None,
        model: Model | None = None,
        solver: Callable[[Any], Verdict] | None = None,
        selection: Selection | Score | None = None,
        final: FinalScore | None = None,
        tree: Tree | None = None,
    ) -> None:
        subject = position if isinstance(position, AnyPosition) else OwnPosition(position)
        if subject.is_over:
            raise GameStateError(f"there is nothing to search: the game is over ({subject!r})")
        self._engine = parse_engine(engine, position=subject)
        parameters = self._engine.to_parameters()
        parameters.threads = self._threads = check_integer("threads", threads, low=1, high=MAX_THREADS)
        parameters.plays_elsewhere = self._plays_elsewhere
        batch_size = check_integer("batch", batch, low=1, high=MAX_BATCH)
        if tree is not None:
            _check_tree(tree)
        self._seed = check_seed(tree.seed if seed is None and tree is not None else seed)
        memory = check_memory(max_memory, low=MIN_MEMORY)
        least = MIN_MEMORY * (self._threads if parameters.parallel == "root" else 1)
        if memory < least:
            raise ArgumentError(
                f"max_memory = {memory} bytes is not enough for {threads} trees (parallel=root): {least} are needed"
            )
        # The core borrows these: they must live as long as it does.
        self._rules = _give_rules(parameters, selection, final)
        self._evaluate = core_evaluator(evaluator, subject, self._engine)
        self._choose = core_policy(policy, subject, self._seed)
        self._model = core_model(model, subject, self._engine)
        self._solve = core_solver(solver, subject, self._engine)
        try:
            self._searcher = _make_searcher(
                subject,
                parameters,
                self._seed,
                memory,
                evaluator=self._evaluate,
                batch_size=batch_size,
                policy=self._choose,
                solver=self._solve,
                **({} if self._model is None else {"model": self._model}),
            )
        except MemoryError:
            raise ArgumentError(f"the system does not give max_memory = {memory} bytes: ask for less") from None
        except ValueError as error:
            raise UnsuitedEngineError(f"{self._engine} cannot search {subject!r}: {error}") from None
        # All moves since the beginning. How many of them have been played the core knows: so position and tree stay
        # together even if an exception, such as that of Ctrl-C, comes between the two steps of advance().
        self._moves: list[Any] = []
        self._subject = subject
        self._known = (0, subject)  # after so many moves
        # Of the games of this package; the moves of a user's own game get their numbers as they appear.
        self._move_count = subject.num_distinct_moves if isinstance(subject, Position) else 0
        self._alone = _Alone()
        self._run = NOT_RUN
        if tree is not None:
            from tesuji.tree import restore  # noqa: PLC0415  numpy is slow to load

            restore(self._searcher, tree, subject, self._engine, goes_on=seed is None)

    @property
    def position(self) -> Any:
        """The position at the root of the tree."""
        return self._root.public

    @property
    def _root(self) -> AnyPosition:
        known, position = self._known
        plies = self._searcher.plies()
        for move in self._moves[known:plies]:
            position = position.play(move)
        self._known = plies, position
        return position

    @property
    def core(self) -> _core.Searcher:
        """The native search, for what is built upon it; its answers are nowhere as friendly."""
        return self._searcher

    @property
    def engine(self) -> EngineSpec:
        return self._engine

    @property
    def threads(self) -> int:
        return self._threads

    @property
    def seed(self) -> int:
        """The seed in use, also when none was given: with it the search can be repeated."""
        return self._seed

    def run(
        self, playouts: int | None = None, seconds: float | None = None, cpu_seconds: float | None = None
    ) -> SearchResult:
        """Searches until the first of the given budgets is spent; at least one is needed.

        Ctrl-C ends the run too, and does not raise: a search has an answer at any moment, and it is not thrown away.
        The result then says `stopped_by == "interrupt"`, which a loop over several runs should look at. Only where
        nothing at all is known yet `KeyboardInterrupt` goes on.
        """
        with self._alone:
            report = self._think(playouts, seconds, cpu_seconds)
            if report.stopped_by == "interrupt" and self._searcher.best_move() is None:
                raise KeyboardInterrupt
            return self._result()

    def think(
        self, playouts: int | None = None, seconds: float | None = None, cpu_seconds: float | None = None
    ) -> RunReport:
        """Like `run`, without collecting a result: that counts when runs are short and only `best_move` is wanted."""
        with self._alone:
            return self._think(playouts, seconds, cpu_seconds)

    def _think(self, playouts: int | None, seconds: float | None, cpu_seconds: float | None) -> RunReport:
        if playouts is None and seconds is None and cpu_seconds is None:
            raise ArgumentError("a search needs a budget: give playouts, seconds or cpu_seconds")
        count = None if playouts is None else check_integer("playouts", playouts, low=1, high=MAX_PLAYOUTS)
        wall = None if seconds is None else check_positive("seconds", seconds)
        cpu = None if cpu_seconds is None else check_positive("cpu_seconds", cpu_seconds)
        try:
            if self._searcher.is_over():
                raise GameStateError(f"there is nothing to search: the game is over ({self._root!r})")
            report = self._searcher.run(count, wall, cpu)
        except _core.BadGame as error:
            raise GameError(str(error)) from None
        except (_core.MemoryTooSmall, _core.TooManyThreads) as error:
            raise ArgumentError(str(error)) from None
        self._run = RunReport(report.playouts, report.seconds, report.cpu_seconds, report.stopped_by)
        return self._run

    def best_move(self) -> Any:
        """The move to play by what is known so far."""
        with self._alone:
            number = self._searcher.best_move()
        if number is None:
            raise _nothing_searched()
        return self._subject.move_of(number)

    def glance(self) -> list[RootMove]:
        """The moves that are searched at the root, the most visited first. It takes a tenth of what `result` takes."""
        with self._alone:
            children = self._searcher.snapshot().moves
            low, high = self._subject.reward_range
            move_of = self._subject.move_of
            moves = [
                RootMove(
                    move_of(child.move),
                    child.visits,
                    low + (high - low) * child.value if child.visits else 0.0,
                    child.proven,
                )
                for child in children
            ]
        return sorted(moves, key=lambda entry: (-entry.visits, -entry.value))

    def advance(self, move: Any) -> None:
        """Plays a move at the root, given as itself or by its text, and keeps what is known below it."""
        with self._alone:
            number = move if type(move) is int and 0 <= move < self._move_count else self.number_of(move)
            self._moves[self._searcher.plies() :] = [self._subject.move_of(number)]
            try:
                self._searcher.advance(number)
            except ValueError:
                self.number_of(move)  # says what is wrong with it
                raise
            self._run = NOT_RUN

    def number_of(self, move: Any) -> int:
        """The number of a move that is legal at the root, as the searcher knows it; else an error that says why."""
        root = self._root
        if isinstance(root, OwnPosition):
            return self._subject.native.move_number(root.legal_move(move))  # type: ignore[union-attr]  # of one kind
        root.play(move)
        return root.move_number(move)

    def move_of(self, number: int) -> Any:
        """The move that the native search has this number for."""
        return self._subject.move_of(number)

    @property
    def reward_range(self) -> tuple[float, float]:
        return self._subject.reward_range

    def stop(self) -> None:
        """Ends the run that goes on in another thread; where there is none it does nothing.

        A run that has not begun yet is not stopped by it: a thread that has just been started may still be on its way.
        """
        self._searcher.stop()

    def result(self) -> SearchResult:
        """What is known so far. Playouts and times are those of the last run since the last move."""
        with self._alone:
            return self._result()

    def tree(self) -> Tree:
        """The whole tree: to look at, to keep in a file, to search on. See `tesuji.tree`."""
        from tesuji.tree import tree_of  # noqa: PLC0415  numpy is slow to load

        with self._alone:
            return tree_of(self._searcher, self._root, self._engine, self._seed)

    def top_of_tree(self, *, max_depth: int, min_visits: int = 1) -> tuple[TreeNode, ...]:
        """The nodes down to this depth that have as many visits, the root first; each stands behind its parent."""
        depth, visits = check_integer("max_depth", max_depth, low=0), check_integer("min_visits", min_visits, low=1)
        with self._alone:
            return self._top_of_tree(min(depth, _DEEPEST), min(visits, MAX_PLAYOUTS))

    def _top_of_tree(self, max_depth: int, min_visits: int) -> tuple[TreeNode, ...]:
        position = self._root
        lines = self._searcher.tree(max_depth, min_visits)
        return tuple(_tree_node(line, position, self._subject.move_of) for line in lines)

    def _result(self) -> SearchResult:
        position = self._root
        move_of = self._subject.move_of
        snapshot = self._searcher.snapshot()
        children = snapshot.moves  # each look at it is a copy
        best = _best(snapshot, children)
        low, high = position.reward_range

        def scaled(value: float) -> float:
            return low + (high - low) * value

        moves = [
            MoveStatistics(
                move=move_of(child.move),
                text=position.format_move(move_of(child.move)),
                visits=child.visits,
                value=scaled(child.value) if child.visits else 0.0,
                prior=child.prior,
                rave=None if child.rave is None else scaled(child.rave),
                proven=child.proven,
                pv=tuple(map(move_of, child.pv)),
            )
            for child in children
        ]
        searched = {entry.move for entry in moves}
        moves += [_unsearched(move, position) for move in position.legal_moves() if move not in searched]
        return SearchResult(
            position=position.public,
            best_move=move_of(best.move),
            value=scaled(best.value),
            visits=snapshot.visits,
            moves=tuple(sorted(moves, key=lambda entry: (-entry.visits, -entry.value))),
            pv=tuple(map(move_of, best.pv)),
            threads=self._threads,
            seed=self._seed,
            engine=self._engine,
            proven=snapshot.proven,
            tree_full=snapshot.tree_full,
            nodes=snapshot.nodes,
            child_slots=snapshot.child_slots,
            memory=snapshot.memory,
            tree=self._top_of_tree(_TREE_DEPTH, max(1, snapshot.visits // _TREE_SHARE)),
            **self._run._asdict(),
        )

    def __reduce__(self) -> NoReturn:
        raise TypeError("a search cannot be copied or pickled: make a new one from its position, engine and seed")


def _give_rules(
    parameters: _core.Parameters, selection: Selection | Score | None, final: FinalScore | None
) -> list[object]:
    """Puts rules written in Python in the place of the engine's. Gives what the core borrows of them."""
    if selection is None and final is None:
        return []
    from tesuji.own_rules import final_for_core, selection_for_core  # noqa: PLC0415  numpy is slow to load

    borrowed = []
    if selection is not None:
        if parameters.selection != "uct":
            raise ArgumentError(
                f"a selection rule of your own takes the place of {parameters.selection}: leave that out of the engine"
            )
        parameters.selection = "given"
        parameters.given_selection, function = selection_for_core(selection)
        borrowed.append(function)
    if final is not None:
        parameters.final = "given"
        parameters.given_final, function = final_for_core(final)
        borrowed.append(function)
    return borrowed


def _check_tree(tree: object) -> None:
    from tesuji.tree import Tree  # noqa: PLC0415  numpy is slow to load

    if not isinstance(tree, Tree):
        raise ArgumentError(f"tree must be what tree() or tesuji.tree.load() gives, not {shown(tree)}")


def _make_searcher(
    subject: AnyPosition, parameters: _core.Parameters, seed: int, memory: int, **knowledge: Any
) -> _core.Searcher:
    policy = knowledge["policy"]
    if isinstance(policy, int) and isinstance(subject, CompiledGame):
        return subject.native.searcher_with_policy(parameters, seed, memory, **knowledge)
    return subject.native.searcher(parameters, seed, memory, **knowledge)


class _Alone:
    """Lets one thread in at a time, and sends the others away. A class, since a generator takes longer.

    The lock lets its own thread in again: an interrupt may come between taking it and the block that gives it back, and
    must not leave the search locked for ever. The core still refuses a call from within a run.
    """

    __slots__ = ("_lock",)

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise SearchBusyError("another thread is at work with this search: stop() its run, or wait for its end")

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        self._lock.release()
        if isinstance(error, _core.SearchBusy):
            raise SearchBusyError(str(error)) from None


def _unsearched(move: Any, position: AnyPosition) -> MoveStatistics:
    """A legal move that the engine found not worth a thought."""
    text = position.format_move(move)
    return MoveStatistics(move=move, text=text, visits=0, value=0.0, prior=None, rave=None, proven=None, pv=(move,))


def _best(snapshot: _core.Snapshot, children: list[_core.ChildStatistics]) -> _core.ChildStatistics:
    if snapshot.best is None:
        raise _nothing_searched()
    return children[snapshot.best]


def _nothing_searched() -> GameStateError:
    return GameStateError("nothing has been searched here yet: run() first")


def _tree_node(line: _core.TreeLine, position: AnyPosition, move_of: Callable[[int], Any]) -> TreeNode:
    low, high = position.reward_range
    is_root = line.parent < 0
    return TreeNode(
        id=line.id,
        parent=None if is_root else line.parent,
        move=None if is_root else move_of(line.move),
        visits=line.visits,
        value=low + (high - low) * line.value,
    )
