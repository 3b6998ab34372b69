"""Trees that are kept: what they say, that a file gives them back, and that a search goes on with them exactly."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import math
import zipfile
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import tesuji
from tests.unit.own_games import Auction, Dice
from tesuji import tree as trees
from tesuji.cli import app
from tesuji.errors import ArgumentError, GameStateError, TreeError
from tesuji.tree import NO_MOVE, Tree, UnknownMove

KEPT = Path(__file__).parent.parent / "data" / "othello.tree"

# Every kind of statistic that a tree can have.
ENGINES = [
    "uct(c=0.7)",
    "ucb-tuned1+accelerated(k=3)",
    "discounted(k=3)",
    "mix(q=0.5,m=10)",
    "max(discs)",
    "bast",
    "rave",
    "uct+solver",
    "bias+widening",
    "uct+expand=3",
]


@dataclasses.dataclass(frozen=True)
class Endless:
    """One choice between numbers without end."""

    is_over: bool = False
    to_move = 0

    def legal_moves(self) -> list[float]:
        return [math.inf, -math.inf]

    def play(self, _move: float) -> Endless:
        return Endless(is_over=True)

    def outcome(self) -> tuple[float, float]:
        return (1.0, 0.0)


def searched(engine: str = "uct", playouts: int = 400, **options: Any) -> tesuji.Search:
    search = tesuji.Search(tesuji.Othello(), engine, seed=7, **options)
    search.run(playouts=playouts)
    return search


def all_of(tree: Tree) -> dict[str, Any]:
    """Everything in a tree, comparable."""
    found = {field.name: getattr(tree, field.name) for field in dataclasses.fields(tree)}
    found["kept"] = {name: column.tolist() for name, column in tree.kept.items()}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in found.items()}


# ---- what a tree says


def test_a_tree_is_what_the_result_shows() -> None:
    search = searched("rave")
    tree, result = search.tree(), search.result()
    below = tree.children()
    ours = {
        tree.text_at(row): (tree.visits[row], tree.value[row], tree.rave[row] if tree.rave is not None else None)
        for row in range(below.start, below.stop)
    }
    assert ours == {entry.text: (entry.visits, entry.value, entry.rave) for entry in result.moves}
    assert [tree.move_at(row) for row in tree.principal_variation()] == list(result.pv)
    assert tree.visits[0] == result.visits
    assert tree.move_at(0) is None
    assert (tree.player[below] == 0).all()


def test_visits_of_children_add_up() -> None:
    tree = searched(playouts=1000).tree()
    for row in range(len(tree)):
        below = tree.children(row)
        if below.stop > below.start:
            # A node is made at its second visit: the first ended at the leaf. The root is one from the beginning.
            assert tree.visits[below].sum() == tree.visits[row] - (row > 0)
            assert (tree.parent[below] == row).all()
            assert (tree.depth[below] == tree.depth[row] + 1).all()


def test_other_tools_get_the_same_tree(tmp_path: Path) -> None:
    tree = searched("uct+solver", playouts=300).tree()
    nodes = json.loads(tree.to_json(min_visits=3))["nodes"]
    graph = tree.to_networkx(min_visits=3)
    assert nx.is_arborescence(graph)
    assert len(nodes) == graph.number_of_nodes() == len(tree.rows(min_visits=3)) > 10
    for node in nodes:
        row = node["id"]
        assert graph.nodes[row] == {key: value for key, value in node.items() if key not in ("id", "parent")}
        assert [node["parent"]] == (list(graph.predecessors(row)) or [None])
        assert node["visits"] == tree.visits[row]
        assert node["proven"] == tree.proven(row)
    dot = tree.to_dot(min_visits=3)
    assert dot.count("->") == graph.number_of_edges()
    assert dot.startswith("digraph")
    assert {len(tree.rows(max_depth=depth)) for depth in range(3)} == {1, 5, 17}
    with pytest.raises(ArgumentError, match="max_depth"):
        tree.to_json(max_depth=-1)


def test_shape_of_a_known_tree() -> None:
    """Of width 2 and depth 3, searched until all is known: every playout ends at one of the 8 leaves."""
    search = tesuji.Search(tesuji.TreeGame([[[0, 1], [1, 0]], [[1, 0], [0, 1]]]), "uct(c=100)", seed=1)
    search.run(playouts=4000)
    shape = search.tree().shape()
    assert (shape.rows, shape.nodes, shape.visited, shape.visits) == (15, 7, 15, 4000)
    assert shape.visited_by_depth == (1, 2, 4, 8)
    assert (shape.depth, shape.branching, shape.root_moves, shape.pv_length) == (3, 2.0, 2, 3)
    assert 2.98 < shape.mean_depth < 3
    assert 1.9 < shape.effective_branching <= 2
    assert 0.5 <= shape.best_share < 0.6
    assert json.loads(shape.to_json())["rows"] == 15


def test_comparison_of_trees() -> None:
    tree = searched(playouts=300).tree()
    same = tree.compare(tree)
    assert (same.visit_distance, same.overlap, same.only, same.same_best) == (0.0, 1.0, (0, 0), True)
    assert same.common_pv == len(tree.principal_variation())
    later = searched(playouts=900).tree()
    grown = tree.compare(later)
    assert grown.shared == (tree.visits > 0).sum()  # one seed: the longer search began with the shorter
    assert grown.only == (0, (later.visits > 0).sum() - grown.shared)
    assert 0 < grown.visit_distance < 0.2
    assert sum(move.visits[1] for move in grown.moves) == 900
    back = later.compare(tree)
    assert (back.visit_distance, back.only) == (grown.visit_distance, grown.only[::-1])
    other = tesuji.Search(tesuji.Othello().play("f5"), seed=1)
    other.run(playouts=10)
    with pytest.raises(TreeError, match="different positions"):
        tree.compare(other.tree())


# ---- files


@pytest.mark.parametrize("engine", ENGINES)
def test_a_search_goes_on_as_if_it_had_never_stopped(engine: str, tmp_path: Path) -> None:
    search = searched(engine)
    search.tree().save(tmp_path / "kept.tree")
    kept = trees.load(tmp_path / "kept.tree")
    assert all_of(kept) == all_of(search.tree())
    again = tesuji.Search(tesuji.Othello(), engine, tree=kept)
    assert all_of(again.tree()) == all_of(kept)
    assert again.seed == 7
    again.run(playouts=300)
    search.run(playouts=300)
    assert all_of(again.tree()) == all_of(search.tree())


def test_other_random_numbers_where_a_seed_is_given() -> None:
    kept = searched(playouts=50).tree()
    results = [tesuji.Search(tesuji.Othello(), seed=seed, tree=kept).run(playouts=200) for seed in (1, 1, 2)]
    assert results[0].moves == results[1].moves != results[2].moves
    assert results[0].visits == 250


def test_from_one_thread_to_several_and_back() -> None:
    for engine in ("uct", "accelerated(k=3)", "uct+parallel=mutex"):
        kept = searched(engine, playouts=200).tree()
        wide = tesuji.Search(tesuji.Othello(), engine, threads=2, tree=kept)
        wide.run(playouts=200)
        narrow = tesuji.Search(tesuji.Othello(), engine, tree=wide.tree())
        assert narrow.run(playouts=100).visits == 500


def test_moves_of_games_of_ones_own(tmp_path: Path) -> None:
    search = tesuji.Search(Auction(), seed=1)
    search.run(playouts=300)
    search.tree().save(tmp_path / "own.tree")
    kept = trees.load(tmp_path / "own.tree")
    again = tesuji.Search(Auction(), tree=kept)
    assert again.run(playouts=300).moves == search.run(playouts=300).moves


def test_a_game_with_dice_and_a_range_of_rewards() -> None:
    search = tesuji.Search(Dice(), seed=1)
    search.run(playouts=300)
    tree = search.tree()
    assert tesuji.CHANCE in tree.player
    again = tesuji.Search(Dice(), tree=tree)
    assert again.run(playouts=300).moves == search.run(playouts=300).moves


def test_moves_that_json_does_not_have() -> None:
    search = tesuji.Search(Endless(), seed=1)
    found = search.run(playouts=20)
    assert {entry["move"] for entry in json.loads(found.to_json())["moves"]} == {"inf", "-inf"}
    assert {node["move"] for node in json.loads(search.tree().to_json())["nodes"]} == {None, "inf", "-inf"}


def test_moves_that_a_file_cannot_hold(tmp_path: Path) -> None:
    tree = searched(playouts=20).tree()
    strange = dataclasses.replace(tree, moves=tuple(frozenset([move]) for move in tree.moves))
    strange.save(tmp_path / "strange.tree")
    kept = trees.load(tmp_path / "strange.tree")
    assert all(isinstance(move, UnknownMove) for move in kept.moves)
    assert kept.texts == tree.texts
    with pytest.raises(TreeError, match="only as text"):
        tesuji.Search(tesuji.Othello(), tree=kept)


def test_a_tree_kept_long_ago() -> None:
    """A file of version 1: what cannot read it any more has another version. (Made by `searched("rave", 60)`.)"""
    kept = trees.load(KEPT)
    assert (kept.game, kept.engine, kept.seed, len(kept)) == ("othello", "uct+rave", 7, 166)
    again = tesuji.Search(tesuji.Othello(), "rave", tree=kept)
    assert again.run(playouts=40).visits == kept.visits[0] + 40


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda tree: tesuji.Search(tesuji.Othello(), "uct(c=0.5)", tree=tree), "made by uct, and uct\\(c=0.5\\)"),
        (lambda tree: tesuji.Search(tesuji.Othello().play("f5"), tree=tree), "of another position"),
        (lambda tree: tesuji.Search(tesuji.Go(9), tree=tree), "of another position"),
    ],
)
def test_a_tree_of_something_else(make: Any, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        make(searched(playouts=20).tree())


def test_what_has_no_tree() -> None:
    with pytest.raises(GameStateError, match="nothing has been searched"):
        tesuji.Search(tesuji.Othello()).tree()
    search = tesuji.Search(tesuji.Othello(), "uct+parallel=root", threads=2)
    search.run(playouts=20)
    with pytest.raises(ArgumentError, match="a tree for each thread"):
        search.tree()
    with pytest.raises(ArgumentError, match="tree must be what tree"):
        tesuji.Search(tesuji.Othello(), tree=str(KEPT))  # type: ignore[arg-type]  # that is what is tried
    with pytest.raises(ArgumentError, match="max_memory is too small"):
        tesuji.Search(tesuji.Othello(), tree=searched(playouts=3000).tree(), max_memory=2**16)


# ---- files that are damaged, or made to do harm


def written(tmp_path: Path) -> bytes:
    path = tmp_path / "kept.tree"
    searched(playouts=60).tree().save(path)
    return path.read_bytes()


def resealed(data: bytes, change: Any) -> bytes:
    """The same file with other arrays, and a checksum that is right."""
    payload = data.partition(b"\n")[2]
    with np.load(io.BytesIO(payload)) as arrays:
        changed = dict(arrays)
    change(changed)
    out = io.BytesIO()
    np.savez_compressed(out, **changed)
    return sealed(out.getvalue())


def sealed(payload: bytes) -> bytes:
    return b"tesuji-tree 1 " + hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload


def test_damage_is_noticed(tmp_path: Path) -> None:
    data = written(tmp_path)
    for place in range(0, len(data), 97):
        harmed = bytearray(data)
        harmed[place] ^= 0x41
        with pytest.raises(TreeError, match=r"damaged|is no tree|format version"):
            trees.parse(bytes(harmed))
    for end in (0, 10, 80, len(data) // 2, len(data) - 1):
        with pytest.raises(TreeError, match=r"damaged|is no tree"):
            trees.parse(data[:end])
    with pytest.raises(TreeError, match="format version '2'; this program reads version 1"):
        trees.parse(data.replace(b"tree 1", b"tree 2", 1))
    with pytest.raises(TreeError, match=r"cannot be read: No such file"):
        trees.load(tmp_path / "nothing.tree")
    with pytest.raises(TreeError, match="cannot be written"):
        searched(playouts=5).tree().save(tmp_path / "no" / "folder.tree")


def test_a_small_file_that_unpacks_to_much(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as members:
        members.writestr("parent.npy", bytes(50_000_000))
    (tmp_path / "bomb.tree").write_bytes(sealed(out.getvalue()))
    with pytest.raises(TreeError, match="too large"):
        trees.load(tmp_path / "bomb.tree", max_memory="10MB")


def npy(header: str) -> bytes:
    """A file of numpy with this header, and nothing behind it."""
    return b"\x93NUMPY\x01\x00" + (len(header) + 1).to_bytes(2, "little") + header.encode() + b"\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("parent.npy", b"no array"),
        ("parent.npy", npy("{'descr': '<u4', 'fortran_order': False, 'shape': (10000000000000,), }")),
        ("parent.npy", npy("{'descr': '<u4', 'fortran_order': False, 'shape': (99999999999999999999999,), }")),
        ("parent.npy", npy("{'descr': ('<u4',), 'fortran_order': False, 'shape': (2,), }")),
        ("parent.npy", npy("{((((")),
        ("more", b"no array"),
    ],
)
def test_members_that_are_no_arrays(name: str, content: bytes, tmp_path: Path) -> None:
    """With a checksum that is right: whoever wants to do harm can make one."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(written(tmp_path).partition(b"\n")[2])) as old, zipfile.ZipFile(out, "w") as new:
        for member in {*old.namelist(), name}:
            new.writestr(member, content if member == name else old.read(member))
    with pytest.raises(TreeError, match="damaged"):
        trees.parse(sealed(out.getvalue()))
    encrypted = bytearray(out.getvalue())
    encrypted[encrypted.find(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(TreeError, match="damaged"):
        trees.parse(sealed(bytes(encrypted)))


def header_with(**fields: Any) -> Any:
    def change(arrays: dict[str, Any]) -> None:
        arrays["header"] = np.array(json.dumps({**json.loads(str(arrays["header"])), **fields}))

    return change


CHANGES: list[Any] = [
    lambda arrays: arrays.pop("visits"),
    lambda arrays: arrays.update(visits=arrays["visits"][:-1]),
    lambda arrays: arrays.update(visits=arrays["visits"].astype(np.int64)),
    lambda arrays: arrays.update(value=arrays["value"] * np.nan),
    lambda arrays: arrays.update(parent=arrays["parent"][::-1].copy()),
    lambda arrays: arrays.update(parent=arrays["parent"] + np.uint32(1)),
    lambda arrays: arrays.update(move=np.full_like(arrays["move"], 10_000)),
    lambda arrays: arrays.update(header=np.array("[]")),
    lambda arrays: arrays.update(header=np.array("{")),
    lambda arrays: arrays.update(header=np.array("[" * 100_000)),
    lambda arrays: arrays.update({"kept: proof": np.full(len(arrays["move"]), 9.0)}),
    lambda arrays: arrays.update({"kept: prior": np.full(len(arrays["move"]), np.nan)}),
    header_with(reward_range=[float("nan"), 1]),
    header_with(reward_range=[1, 0]),
    header_with(reward_range=[0, float("inf")]),
    header_with(seed=-1),
    header_with(seed=None),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_is_no_tree_is_not_read(change: Any, tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="damaged"):
        trees.parse(resealed(written(tmp_path), change))


def column(name: str, value: Any) -> Any:
    return lambda arrays: arrays.update({name: np.full_like(arrays[name], value)})


HARMFUL: list[Any] = [
    (lambda arrays: arrays.update(move=np.r_[np.uint32(NO_MOVE), arrays["move"][:0:-1]]), "not legal"),
    (lambda arrays: arrays.update(move=np.r_[arrays["move"][:1], 0 * arrays["move"][1:]]), "not legal"),
    (column("player", 1), "not legal"),
    (column("player", 5), "whom this game does not have"),
    (column("player", -7), "whom this game does not have"),
    (column("kept: rewards", -1.0), "cannot be there"),
    (column("kept: rewards", 0.5), "cannot be there"),
    (column("kept: rewards", np.nan), "cannot be there"),
    (column("kept: rewards", 1e300), "cannot be there"),
    (lambda arrays: arrays.pop("kept: rewards"), "has no column 'rewards'"),
]


@pytest.mark.parametrize(("change", "message"), HARMFUL)
def test_a_tree_that_cannot_be_is_not_searched(change: Any, message: str, tmp_path: Path) -> None:
    tree = trees.parse(resealed(written(tmp_path), change))
    with pytest.raises(TreeError, match=message):
        tesuji.Search(tesuji.Othello(), tree=tree)


@pytest.mark.parametrize(
    ("engine", "name"),
    [("puct", "prior"), ("rave", "RAVE rewards"), ("accelerated(k=3)", "weight"), ("discounted(k=3)", "ledger sum 0")],
)
@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan, 1e300])
def test_numbers_without_end_are_not_searched(engine: str, name: str, number: float) -> None:
    tree = searched(engine, playouts=60).tree()
    kept = {**tree.kept, name: np.full(len(tree), number)}
    with pytest.raises(TreeError, match=f"the column '{name}' has the number .* which cannot be there"):
        tesuji.Search(tesuji.Othello(), engine, tree=dataclasses.replace(tree, kept=kept))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_columns_do_harm(data: st.DataObject) -> None:
    """Any numbers in place of a tree's: they are refused, or searched like any others."""
    tree = GIVEN.setdefault("tree", searched(playouts=60).tree())
    name = data.draw(st.sampled_from(["parent", "player", "move", "visits"]))
    numbers = getattr(tree, name).copy()
    bounds = np.iinfo(numbers.dtype)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(numbers) - 1))
        numbers[place] = data.draw(st.integers(-2, 70) | st.integers(bounds.min, bounds.max)) % (bounds.max + 1)
    changed = dataclasses.replace(tree, **{name: numbers})
    try:
        search = tesuji.Search(tesuji.Othello(), tree=changed)
    except TreeError:
        return
    search.think(playouts=20)


GIVEN: dict[str, Tree] = {}


# ---- the command line


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


def test_commands(tmp_path: Path) -> None:
    first, second = str(tmp_path / "first.tree"), str(tmp_path / "second.tree")
    position = ("analyze", "othello", "--engine", "uct(c=0.7)", "--playouts", "200")
    assert invoke(*position, "--seed", "7", "--save-tree", first).exit_code == 0
    assert invoke(*position, "--from-tree", first, "--save-tree", second).exit_code == 0
    assert all_of(trees.load(second)) == all_of(searched("uct(c=0.7)", playouts=400).tree())
    shape = json.loads(invoke("tree", first, "--json").stdout)
    assert (shape["visits"], shape["engine"]) == (200, "uct(c=0.7)")
    assert "principal variation" in invoke("tree", first).stdout
    comparison = json.loads(invoke("tree", first, second, "--json").stdout)
    assert comparison["only"][0] == 0
    assert "of the paths are in both" in " ".join(invoke("tree", first, second).stdout.split())
    assert invoke("tree", first, "--write", "dot", "--max-depth", "1").stdout.count("->") == 4
    nodes = json.loads(invoke("tree", first, "--write", "json", "--min-visits", "20").stdout)["nodes"]
    assert min(node["visits"] for node in nodes) >= 20


def test_moves_are_shown_as_they_are(tmp_path: Path) -> None:
    """Square brackets and colons mean something to the library that draws the tables."""
    tree = searched(playouts=20).tree()
    odd = dataclasses.replace(tree, texts=tuple(f"[/{text}]:cat:" for text in tree.texts))
    file = tmp_path / "odd.tree"
    odd.save(file)
    for arguments in ((str(file),), (str(file), str(file))):
        assert "[/f5]:cat:" in invoke("tree", *arguments).output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tree", "no.tree"], "cannot be read"),
        (["tree", str(KEPT), "--max-depth", "3"], "are for --write"),
        (["tree", str(KEPT), str(KEPT), "--write", "dot"], "leave out the second"),
        (["analyze", "othello", "--trace", "--save-tree", "x.tree"], "leave out --trace"),
        (["analyze", "othello", "--save-tree", "no/folder/x.tree"], "--save-tree must be a file in a folder that"),
        (["analyze", "othello", "--playouts", "5", "--from-tree", str(KEPT)], "give that engine"),
        (["analyze", "go", "--engine", "rave", "--playouts", "5", "--from-tree", str(KEPT)], "another position"),
    ],
)
def test_what_the_commands_refuse(arguments: list[str], message: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
