"""The page about the solved dice game."""

from pathlib import Path

from lab.studies.solution_page import write_page

ROOT = Path(__file__).parents[2]


def test_the_page_says_what_the_numbers_say(tmp_path: Path) -> None:
    """``python -m lab solution --only-page`` leaves the page and its pictures as they are."""
    folder = tmp_path / "dice-solved"
    folder.mkdir()
    docs = ROOT / "docs"
    for numbers in (docs / "dice-solved").glob("*.json"):
        (folder / numbers.name).write_bytes(numbers.read_bytes())
    write_page(tmp_path)
    for path in [docs / "dice-solved.md", *(docs / "dice-solved").glob("*.svg")]:
        assert (tmp_path / path.relative_to(docs)).read_text(encoding="utf-8") == path.read_text(encoding="utf-8"), path
