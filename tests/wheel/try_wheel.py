"""Run with an installed wheel, from a folder that is not the checkout: is everything in it that has to be?"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import tesuji
from tesuji import knowledge, tree
from tesuji.arena.catalog import load_engines
from tesuji.arena.experiment_list import experiments_folder, find_experiments


def main() -> None:
    checkout = Path(__file__).resolve().parents[2]
    assert not Path(tesuji.__file__).is_relative_to(checkout / "src"), "this is the checkout, and no wheel"
    search = tesuji.Search(tesuji.Othello(), engine="uct(c=1.0)", seed=1)
    result = search.run(playouts=1000)
    assert result.playouts == 1000
    assert "gnugo" in load_engines(), "engines.toml is not in the wheel"
    assert knowledge.load("go9").priors(tesuji.Go(9)), "the models are not in the wheel"
    assert Path(tesuji.__file__).parent in experiments_folder().parents, "the experiments are not those of the wheel"
    assert (Path(tesuji.__file__).parent / "web" / "static" / "play.html").is_file(), "the page is not in the wheel"
    assert len(find_experiments("accelerated-table1")) == 2
    with tempfile.TemporaryDirectory() as folder:
        search.tree().save(Path(folder) / "kept.tree")
        assert len(tree.load(Path(folder) / "kept.tree")) == len(search.tree())
    for arguments in (["--help"], ["doctor"], ["reproduce"]):
        subprocess.run([sys.executable, "-m", "tesuji", *arguments], check=True, stdout=subprocess.DEVNULL)
    print(f"tesuji {tesuji.__version__} works from {Path(tesuji.__file__).parent}")


if __name__ == "__main__":
    main()
