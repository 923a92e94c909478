"""What the documents point at is there."""

import re
from pathlib import Path

import pytest

import sixfold
from sixfold.sources import PACKAGE

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(ROOT.glob("docs/**/*.md"))
# What `make` makes, and what a run leaves behind.
MADE = ("src/sixfold/server/pages/", "web/node_modules")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_paths_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    paths = re.findall(r"`((?:src|lab|web|tests|docs|tools|deploy)/[\w./-]*)`", text)
    lost = [link for link in links if link and not (page.parent / link).exists()]
    lost += [path for path in paths if path not in MADE and not (ROOT / path).exists()]
    assert not lost, f"{page.relative_to(ROOT)} points at what is not there: {lost}"


def test_the_map_names_every_room() -> None:
    drawn = (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8")
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    missing = {room for room in rooms if not re.search(rf">{room}\b", drawn)}
    assert not missing, "docs/architecture.svg has no place for these"


def test_the_reference_has_every_exported_name() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert not [name for name in sixfold.__all__ if not re.search(rf":: sixfold\.{name}\b", page)]


def test_the_exported_names_are_listed_before_they_are_loaded() -> None:
    assert set(sixfold.__all__) <= set(dir(sixfold))
