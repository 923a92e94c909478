"""Writes a release into the sources: the version, and its heading in the change log. `make release` calls it twice:
first with --look, to see whether a release is possible, before all checks run."""

import argparse
import datetime
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSION = ROOT / "src" / "sixfold" / "__init__.py"
CHANGES = ROOT / "CHANGELOG.md"
UNRELEASED = "## Unreleased\n"
VERSION_LINE = re.compile(r'^__version__ = "(.*)"$', flags=re.MULTILINE)


def numbers(version: str) -> tuple[int, ...]:
    """A version as numbers: 1.2.3."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        raise SystemExit(f"release: a version has three numbers, such as 1.2.0, not {version!r}")
    return tuple(int(number) for number in version.split("."))


def with_version(source: str, version: str) -> str:
    """The source with a new version, which must be later than the current one."""
    current = VERSION_LINE.search(source)
    assert current is not None
    if numbers(version) <= numbers(current[1]):
        raise SystemExit(f"release: {version} does not come after {current[1]}")
    return VERSION_LINE.sub(f'__version__ = "{version}"', source)


def with_heading(changes: str, version: str, day: datetime.date) -> str:
    """The change log with a heading for the unreleased entries, and an empty section for the next ones."""
    before, heading, after = changes.partition(UNRELEASED)
    entries = after.partition("\n## ")[0]
    if not heading or not entries.strip():
        raise SystemExit("release: the change log says nothing under Unreleased")
    return f"{before}{UNRELEASED}\n## {version} ({day.isoformat()})\n{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version")
    parser.add_argument("--look", action="store_true", help="only say whether it can be released")
    arguments = parser.parse_args()
    source = with_version(VERSION.read_text(encoding="utf-8"), arguments.version)
    changes = with_heading(CHANGES.read_text(encoding="utf-8"), arguments.version, datetime.date.today())
    status = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, check=True, capture_output=True, text=True)
    if status.stdout:
        raise SystemExit(f"release: commit these first:\n{status.stdout.rstrip()}")
    if not arguments.look:
        VERSION.write_text(source, encoding="utf-8")
        CHANGES.write_text(changes, encoding="utf-8")


if __name__ == "__main__":
    main()
