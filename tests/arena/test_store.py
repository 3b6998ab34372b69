"""Stores: what they keep, what they refuse, merging, CSV files, and games as files."""

from __future__ import annotations

import contextlib
import functools
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf

import tesuji
from tesuji import Go, MatchResult, StoreError, match
from tesuji.arena.csv_file import export_csv, import_csv
from tesuji.arena.match import as_player, make_budgets
from tesuji.arena.openings import RandomOpenings
from tesuji.arena.plan import MatchPlan
from tesuji.arena.save_games import save_games, transcript
from tesuji.arena.store import Store

play = functools.partial(match, "othello", "uct", "uct(c=0.5)", playouts=10, openings="random:4", seed=3)


def make_plan(*, seed: int = 3) -> MatchPlan:
    """The plan of `play`."""
    budget = make_budgets(playouts=10)[0]
    return MatchPlan(
        start=tesuji.Othello(),
        players=(as_player("uct", budget), as_player("uct(c=0.5)", budget)),
        seed=seed,
        openings=RandomOpenings(4),
    )


def games_of(result: MatchResult) -> list[tuple[object, ...]]:
    return [(r.number, r.seeds, r.moves, r.points, r.ended_by) for r in result.records]


def test_a_match_is_resumed_and_can_grow(tmp_path: Path) -> None:
    store = tmp_path / "results.db"
    seen: list[int] = []
    first = play(games=6, store=store, progress=lambda record: seen.append(record.number))
    again = play(games=6, store=store, progress=lambda record: seen.append(record.number))
    more = play(games=10, store=store, progress=lambda record: seen.append(record.number))
    assert seen == list(range(10))
    assert again.records == first.records
    assert games_of(more) == games_of(play(games=10))
    assert more.records[:6] == first.records
    # Fewer games are counted when fewer are asked for.
    assert play(games=4, store=store).records == first.records[:4]


def test_what_was_undone_is_not_remembered() -> None:
    plan, records = make_plan(), play(games=2).records

    def broken() -> Iterator[tesuji.GameRecord]:
        yield records[0]
        raise LookupError

    with Store() as store:
        with pytest.raises(LookupError):
            store.save_all(plan, broken())
        assert store.records(plan) == []
        store.save(plan, records[1])
        assert store.records(plan) == [records[1]]
        assert [match.games for match in store.matches()] == [1]


def test_a_store_holds_many_matches(tmp_path: Path) -> None:
    store = tmp_path / "results.db"
    play(games=2, store=store)
    play(games=2, store=store, seed=4)
    match("tic-tac-toe", "uct", "uct", playouts=5, games=3, store=store)
    with Store(store) as opened:
        assert [(m.game, m.games) for m in opened.matches()] == [("othello", 2), ("othello", 2), ("tic-tac-toe", 3)]


def test_the_store_can_be_read_by_others(tmp_path: Path) -> None:
    store = tmp_path / "results.db"
    start = tesuji.TreeGame([[1, 0], [0, 1]])
    result = match(start, "uct", "uct", playouts=5, games=60, store=store)
    with contextlib.closing(sqlite3.connect(store)) as database:
        rows = database.execute("SELECT a, b, number, points, moves, duplicate_of FROM results ORDER BY number")
        assert rows.fetchall() == [
            (r.a, r.b, r.number, r.points, " ".join(start.format_move(m) for m in r.moves), r.duplicate_of)
            for r in result.records
        ]
    assert any(record.duplicate_of is not None for record in result.records)


def test_what_names_a_match() -> None:
    digests = {
        play(games=1, **change).plan.digest
        for change in ({}, {"seed": 4}, {"playouts": 11}, {"openings": None}, {"failures": "void"}, {"move_limit": 100})
    }
    assert len(digests) == 6
    assert play(games=2, jobs=1).plan.digest == make_plan().digest


def test_without_a_seed_a_kept_match_can_be_continued(tmp_path: Path) -> None:
    store = tmp_path / "results.db"
    first = match("tic-tac-toe", "uct", "uct", playouts=5, games=2, store=store)
    assert match("tic-tac-toe", "uct", "uct", playouts=5, games=2, store=store).records == first.records
    assert match("tic-tac-toe", "uct", "uct", playouts=5, games=1).seed != first.seed


def test_any_name_is_that_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite would take this one for no file at all."""
    monkeypatch.chdir(tmp_path)
    assert play(games=2, store=":memory:").records == play(games=2, store=":memory:").records
    assert (tmp_path / ":memory:").stat().st_size > 0


# ---- what cannot be used


def test_files_that_are_no_stores(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("these are no results, but enough letters to look like a file of some kind")
    other = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE songs (name TEXT)")
    future = tmp_path / "future.db"
    Store(future).close()
    with contextlib.closing(sqlite3.connect(future)) as database:
        database.execute("PRAGMA user_version = 99")
    for path, message in (
        (text, "is no store of results, or it is damaged"),
        (other, "SQLite file of something else"),
        (future, "another version of tesuji"),
        (tmp_path, "is a folder"),
        (tmp_path / "missing" / "results.db", "there is no folder"),
    ):
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(StoreError, match=message):
            play(games=1, store=path)
        assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_damaged_store(tmp_path: Path) -> None:
    store = tmp_path / "results.db"
    play(games=200, store=store)
    content = bytearray(store.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 4096] = b"\xff" * 4096
    store.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        play(games=200, store=store)


@pytest.mark.parametrize("change", ["moves = 'z9'", "points = 7", "seed_a = '1'", "cpu_a = -1"])
def test_a_game_that_makes_no_sense(tmp_path: Path, change: str) -> None:
    store = tmp_path / "results.db"
    play(games=2, store=store)
    with contextlib.closing(sqlite3.connect(store)) as database:
        database.execute(f"UPDATE games SET {change} WHERE number = 1")
        database.commit()
    with pytest.raises(StoreError, match=r"results\.db: .*game"):
        play(games=2, store=store)


# ---- shards and merging


def test_merged_shards_are_the_whole_match(tmp_path: Path) -> None:
    for shard in (1, 2, 3):
        part = play(games=15, store=tmp_path / f"{shard}.db", shard=f"{shard}/3")
        assert all(record.pair % 3 == shard - 1 for record in part.records)
    with Store(tmp_path / "all.db") as merged:
        for shard in (3, 1, 2, 1):
            with Store(tmp_path / f"{shard}.db", must_exist=True) as source:
                merged.merge(source)
    seen: list[int] = []
    result = play(games=15, store=tmp_path / "all.db", progress=lambda record: seen.append(record.number))
    assert seen == []
    assert games_of(result) == games_of(play(games=15))


def test_stores_that_contradict_each_other_are_not_merged(tmp_path: Path) -> None:
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    play(games=2, store=one)
    play(games=4, store=two)
    with contextlib.closing(sqlite3.connect(two)) as database:
        database.execute("UPDATE games SET points = 0.5 WHERE number = 1")
        database.commit()
    with Store(one) as target, Store(two) as source:
        with pytest.raises(StoreError, match=r"another game 1 .*: they differ in points"):
            target.merge(source)
        assert target.matches()[0].games == 2
    with pytest.raises(StoreError, match="there is no store"):
        Store(tmp_path / "three.db", must_exist=True)


# ---- CSV


def test_export_and_import(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    result = play(games=6)
    export_csv(file, result.plan, result.records)
    plan = make_plan()
    assert plan.digest == result.plan.digest
    records = import_csv(file, plan)
    assert tuple(records) == result.records
    with Store(tmp_path / "results.db") as store:
        for _ in range(2):
            store.save_all(plan, records)
        assert tuple(store.records(plan)) == result.records
    assert games_of(play(games=10, store=tmp_path / "results.db")) == games_of(play(games=10))
    with pytest.raises(StoreError, match=r"line 2: a game of another match \(uct"):
        import_csv(file, make_plan(seed=4))


def edited(text: str, column: str, value: str) -> str:
    header, first, *rest = text.splitlines()
    fields = first.split(",")
    fields[header.split(",").index(column)] = value
    return "\n".join([header, ",".join(fields), *rest]) + "\n"


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("number", "x", "line 2: a game that cannot be read"),
        ("number", "1", "line 2: game 1 has other seeds"),
        ("moves", "a1 a1", "line 2: illegal move a1"),
        ("moves", "", "line 2: game 0 has another opening"),
        ("points", "nan", "line 2: game 0 with nan points"),
        ("points", "0.25", "line 2: game 0 ended by 'rules', and cannot have 0.25 points"),
        ("points", "", "line 2: game 0 ended by 'rules', and cannot have None points"),
        ("ended_by", "magic", "line 2: game 0 ended by 'magic'"),
        ("ended_by", "crash", "line 2: game 0 ended by 'crash'"),
        ("ended_by", "move limit", "line 2: game 0 ended by 'move limit'"),
        ("wall_a", "inf", "line 2: game 0 took"),
    ],
)
def test_a_csv_file_that_makes_no_sense(tmp_path: Path, column: str, value: str, message: str) -> None:
    file = tmp_path / "games.csv"
    result = play(games=2)
    export_csv(file, result.plan, result.records)
    file.write_text(edited(file.read_text(), column, value))
    with pytest.raises(StoreError, match=message):
        import_csv(file, result.plan)


def test_another_result_than_that_of_the_board(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    result = play(games=8)
    decided = next(record for record in result.records if record.points in (0, 1))
    turned = [replace(decided, points=1 - (decided.points or 0))]
    export_csv(file, result.plan, turned)
    with pytest.raises(StoreError, match="cannot have"):
        import_csv(file, result.plan)


def test_a_store_that_is_deleted_in_the_middle_of_a_match(tmp_path: Path) -> None:
    def delete(_: object) -> None:
        (tmp_path / "games.db").unlink(missing_ok=True)

    with pytest.raises(StoreError, match=r"games\.db was deleted"):
        match("tic-tac-toe", "uct", "uct", playouts=5, games=4, store=tmp_path / "games.db", progress=delete)


def test_a_csv_file_with_a_game_twice(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    result = play(games=2)
    export_csv(file, result.plan, [*result.records, result.records[0]])
    with pytest.raises(StoreError, match="has a game twice"):
        import_csv(file, result.plan)


@given(st.text(max_size=200) | st.binary(max_size=200))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: str | bytes) -> None:
    file = tmp_path_factory.mktemp("csv") / "games.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    with pytest.raises(StoreError):
        import_csv(file, make_plan())


# ---- games as files


def test_sgf_files_replay(tmp_path: Path) -> None:
    start = Go(5, komi=3.5).play("C3")
    result = match(start, "uct", "uct(c=0.5)", playouts=20, games=4, seed=1, openings="random:2")
    save_games(tmp_path, result)
    files = sorted(tmp_path.glob("*.sgf"))
    assert len(files) == 4
    for file, record in zip(files, result.records, strict=True):
        game = sgf.Sgf_game.from_bytes(file.read_bytes())
        assert game.get_komi() == 3.5
        assert game.get_root().get_setup_stones() == ({(2, 2)}, set(), set())
        black = record.a if record.a_is_first else record.b
        assert game.get_player_name("b") == black
        black_won = (record.points == 1) == record.a_is_first
        assert game.get_winner() == ("b" if black_won else "w")
        position: Go = start
        for node in game.get_main_sequence()[1:]:
            colour, point = node.get_move()
            assert colour == "bw"[position.to_move]
            move = start.pass_move if point is None else (4 - point[0]) * 5 + point[1]
            position = position.play(move)
        assert position.is_over


def test_transcripts_replay(tmp_path: Path) -> None:
    result = play(games=2)
    save_games(tmp_path, result)
    text = (tmp_path / f"{result.plan.digest}-000001.txt").read_text()
    position = tesuji.Othello()
    for move in text.split("moves: ")[1].split():
        position = position.play(move)
    assert position.is_over
    assert "first: uct(c=0.5) [10 playouts]" in text


def test_who_reads_a_game_while_it_is_written_again_sees_all_of_it(tmp_path: Path) -> None:
    result = play(games=1)
    save_games(tmp_path, result)
    (path,) = tmp_path.iterdir()
    path.write_text("an old game")
    with path.open() as file:
        save_games(tmp_path, result)
        assert file.read() == "an old game"
    assert path.read_text() == transcript(result.plan, result.records[0])
