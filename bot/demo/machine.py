"""Measures the machine's room for a model: memory, disk, cores; containers' limits count."""

import os
import shutil
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")


def free_memory() -> int | None:
    """Return the bytes of memory that a new program may use, or None where the system does not say."""
    found = [size for size in (_linux_memory(), _container_memory()) if size is not None]
    return min(found, default=None)


def free_disk(folder: Path) -> int:
    """Return the bytes that fit into `folder`, which need not exist yet."""
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def cores() -> int:
    """Return the number of cores that this process may keep busy, at least one."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota, _, period = _read(_CGROUP / "cpu.max").partition(" ")
    if quota.isdigit() and period.isdigit():
        count = min(count, int(quota) // int(period))
    return max(1, count)


def _linux_memory() -> int | None:
    for line in _read(Path("/proc/meminfo")).splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _container_memory() -> int | None:
    limit, used = _read(_CGROUP / "memory.max"), _read(_CGROUP / "memory.current")
    return int(limit) - int(used) if limit.isdigit() and used.isdigit() else None


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
