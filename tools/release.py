"""Writes a release into the sources: the version, and its heading in the change log. `make release` asks for it twice:
first with --look, whether it can be, before all checks run."""

import argparse
import datetime
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSION = ROOT / "src" / "sixfold" / "__init__.py"
CHANGES = ROOT / "CHANGELOG.md"
NEXT = "## Unreleased\n"
WRITTEN = re.compile(r'^__version__ = "(.*)"$', flags=re.MULTILINE)


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers: 1.2.3."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        raise SystemExit(f"release: a version has three numbers, such as 1.2.0, not {version!r}")
    return tuple(int(number) for number in version.split("."))


def with_version(source: str, version: str) -> str:
    """The source with another version, which must be a later one."""
    found = WRITTEN.search(source)
    assert found is not None
    if numbers(version) <= numbers(found[1]):
        raise SystemExit(f"release: {version} does not come after {found[1]}")
    return WRITTEN.sub(f'__version__ = "{version}"', source)


def with_heading(changes: str, version: str, day: datetime.date) -> str:
    """The change log with a heading for what was not released so far, and room for what comes next."""
    before, found, after = changes.partition(NEXT)
    entries = after.partition("\n## ")[0]
    if not found or not entries.strip():
        raise SystemExit("release: the change log says nothing under Unreleased")
    return f"{before}{NEXT}\n## {version} ({day.isoformat()})\n{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    parser.add_argument("--look", action="store_true", help="only say whether it can be released")
    asked = parser.parse_args()
    source = with_version(VERSION.read_text(encoding="utf-8"), asked.version)
    changes = with_heading(CHANGES.read_text(encoding="utf-8"), asked.version, datetime.date.today())
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, check=True, capture_output=True, text=True)
    if changed.stdout:
        raise SystemExit(f"release: commit these first:\n{changed.stdout.rstrip()}")
    if not asked.look:
        VERSION.write_text(source, encoding="utf-8")
        CHANGES.write_text(changes, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
