"""Where figures come from: version, commit, build and machine."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tesuji import _core


def facts() -> dict[str, Any]:
    """The build and the machine, as text."""
    return {
        "version": importlib.metadata.version("tesuji"),
        **_core.build_info(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": str(os.cpu_count() or 1),
    }


def provenance() -> dict[str, str]:
    """What a report says of the program and the machine that made it."""
    return {**facts(), "processor": _processor(), "commit": commit()}


def commit() -> str:
    """The commit of the checkout that this package is imported from, and whether anything was changed since.

    An editable package has a core that was built at some time, perhaps from other sources.
    """
    source = Path(__file__).resolve()
    # Asked for this very file: an installed package may lie within somebody else's checkout.
    if _git(source.parent, "ls-files", "--error-unmatch", source.name) is None:
        return "unknown: not run from a checkout"
    head, changes = _git(source.parent, "rev-parse", "HEAD"), _git(source.parent, "status", "--porcelain")
    if head is None or changes is None:
        return "unknown: git gave no answer"
    built = "" if is_core_of(source.parents[2] / "cpp") else "; the core is of other sources: make build"
    return f"{head} ({'with changes' if changes else 'clean'}{built})"


def is_core_of(folder: Path) -> bool:
    """Whether the core was built from these C++ sources, as CMakeLists.txt counts them."""
    files = (path for path in folder.rglob("*") if path.suffix in (".hpp", ".cpp", ".inc"))
    names = sorted(path.relative_to(folder).as_posix() for path in files)
    lines = (
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()} {name}\n"
        for name in names
        if not name.startswith("tests/")
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest() == _core.sources_digest()


def _git(folder: Path, *arguments: str) -> str | None:
    git = shutil.which("git")
    if git is None:
        return None
    try:
        answer = subprocess.run(  # noqa: S603  fixed arguments
            [git, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"
