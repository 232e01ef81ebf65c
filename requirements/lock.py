"""Writes the hashed locks in this folder: `make lock`, or `make lock ARGS=--upgrade` for newer versions.

A lock names every package that one extra of pyproject.toml needs, with its version and the hashes of all its
files. So one lock serves x86-64 and aarch64, and Python 3.11 to 3.13. Three things are special:

- bookworm/ holds the locks for Raspberry Pi OS Bookworm. Its picamera2 needs numpy 1, which OpenCV 5 refuses.
- torch from the package index needs CUDA's libraries on Linux, some gigabytes. train-cpu.txt does without
  them.
- torch's CPU build is not on the package index. Its hash is given here, for Python 3.11 on x86-64.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parent / "pyproject.toml"
OLDEST_PYTHON = "3.11"
BOOKWORM = ("numpy==1.26.4", "opencv-python-headless==4.11.0.86")
CUDA = re.compile(r"(cuda|nvidia)-|triton=")
TORCH_CPU = (
    "torch==2.13.0+cpu \\\n"
    "    --hash=sha256:6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b\n"
)
HEADER = "# {what} Written by requirements/lock.py: run `make lock`, never edit this file.\n"


@dataclass(frozen=True)
class Lock:
    """One lock: the file, the extra it covers, and what else bounds its versions."""

    path: Path
    extra: str = ""
    bounds: tuple[str, ...] = ()
    like: Path | None = None  # a lock whose versions this one shares

    @property
    def what(self) -> str:
        wants = (
            f"What Brehon needs with its extra '{self.extra}'" if self.extra else "What Brehon needs to run"
        )
        return f"{wants}{' on Raspberry Pi OS Bookworm' if self.bounds else ''}."


def locks() -> list[Lock]:
    """The locks in the order in which they are made: each `like` precedes those that share its versions."""
    dev = HERE / "dev.txt"
    old = HERE / "bookworm" / "dev.txt"
    shared = [
        Lock(HERE / f"{extra or 'run'}.txt", extra, like=dev) for extra in ("", "train", "oracle", "pi")
    ]
    bookworm = [
        Lock(old.with_name(f"{extra or 'run'}.txt"), extra, BOOKWORM, old) for extra in ("", "train", "pi")
    ]
    return [
        Lock(dev, "dev"),
        *shared,
        Lock(old, "dev", BOOKWORM),
        *bookworm,
        Lock(HERE / "blender.txt", "blender"),
    ]


def resolved(lock: Lock, options: list[str]) -> list[str]:
    """The packages of a lock, a text each: the requirement and its hashes.

    Versions that the file has already are kept.
    """
    build = tomllib.loads(PROJECT.read_text("utf-8"))["build-system"]["requires"]
    command = [sys.executable, "-m", "uv", "pip", "compile", str(PROJECT), "-"]
    command += ["--output-file", str(lock.path)]
    command += ["--universal", "--python-version", OLDEST_PYTHON, "--generate-hashes", *options]
    command += ["--no-header", "--no-annotate", "--quiet"]
    command += ["--extra", lock.extra] if lock.extra else []
    command += ["--constraints", str(lock.like)] if lock.like else []
    lock.path.parent.mkdir(exist_ok=True)
    subprocess.run(command, input="\n".join([*build, *lock.bounds]), text=True, check=True)
    return re.findall(r"^\S.*\n(?:[ \t].*\n)*", lock.path.read_text("utf-8"), re.M)


def write(path: Path, what: str, packages: list[str]) -> None:
    path.write_text(HEADER.format(what=what) + "".join(packages), "utf-8")


def for_cpu(packages: list[str]) -> list[str]:
    """The packages of train.txt with torch's CPU build, and without what only CUDA needs."""
    return [TORCH_CPU if p.startswith("torch==2.13.0 ") else p for p in packages if not CUDA.match(p)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the hashed locks anew.")
    parser.add_argument(
        "--upgrade", action="store_true", help="take the newest versions that pyproject.toml allows"
    )
    options = ["--upgrade"] if parser.parse_args().upgrade else []
    for lock in locks():
        packages = [p for p in resolved(lock, options) if not p.startswith("#")]
        write(lock.path, lock.what, packages)
        if lock.path == HERE / "train.txt":
            what = "As train.txt, with torch's CPU build for Python 3.11 on x86-64."
            write(HERE / "train-cpu.txt", what, for_cpu(packages))
        print(f"{lock.path.relative_to(HERE.parent)}: {len(packages)} packages")


if __name__ == "__main__":
    main()
