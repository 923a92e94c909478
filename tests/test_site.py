"""The documentation as a site: built without a warning, with a place for every page and for every kind of reader."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def test_the_site_is_built_without_warnings(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", "-d", str(tmp_path / "trees")]
    done = subprocess.run([*command, DOCS, tmp_path / "site"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    start = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    for reader in ("Players", "Operators", "Researchers", "Contributors"):
        assert f">{reader}</span>" in start
    # The pages that live at the top of the repository are here too, with links that hold.
    contributing = (tmp_path / "site" / "contributing.html").read_text(encoding="utf-8")
    assert 'href="architecture.html"' in contributing


def test_every_page_has_its_place() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = {line for block in re.findall(r"```{toctree}\n(.*?)```", index, flags=re.DOTALL) for line in block.split()}
    pages = {str(page.relative_to(DOCS).with_suffix("")) for page in DOCS.rglob("*.md")} - {"index"}
    assert pages <= listed, pages - listed
