"""Every clause of docs/rules has a test, and every test names clauses that exist."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
RULES = TESTS.parent / "docs" / "rules"


def specified() -> list[str]:
    """The clause numbers in the order of the specification."""
    pages = sorted(RULES.glob("*.md"))
    return [
        number
        for page in pages
        for number in re.findall(r"^- \*\*([A-Z]\d+)\*\*", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def counted_files() -> Iterator[Path]:
    """The test files, less those that test the referee."""
    for path in sorted(TESTS.rglob("*.py")):
        if TESTS / "referee" not in path.parents and path.name != "test_referee_alone.py":
            yield path


def named_in(source: str) -> Iterator[tuple[str, str]]:
    """Pairs of a test's name and a clause number in its `@clause(...)`."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if not node.name.lower().startswith("test"):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).split(".")[-1] == "clause":
                for argument in decorator.args:
                    yield node.name, str(ast.literal_eval(argument))


def named() -> list[tuple[str, str]]:
    return [
        (f"{path.relative_to(TESTS.parent)}::{test}", number)
        for path in counted_files()
        for test, number in named_in(path.read_text(encoding="utf-8"))
    ]


def test_clauses_are_numbered_once() -> None:
    numbers = specified()
    assert numbers, f"no clauses found in {RULES}"
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    assert not twice, f"clauses numbered twice: {', '.join(twice)}"


def test_every_clause_has_a_test() -> None:
    tested = {number for _, number in named()}
    missing = [number for number in specified() if number not in tested]
    assert not missing, f"clauses without a test: {', '.join(missing)}"


def test_every_named_clause_exists() -> None:
    known = set(specified())
    unknown = [f"{test} names {number}" for test, number in named() if number not in known]
    assert not unknown, "no such clause:\n" + "\n".join(unknown)


def test_a_clause_is_found_on_functions_and_classes() -> None:
    source = (
        "@clause('T1', 'T2')\ndef test_one(): ...\n"
        "@pytest.mark.clause('C3')\nclass TestTwo: ...\n"
        "@clause('D4')\ndef helper(): ...\n"
    )
    assert list(named_in(source)) == [("test_one", "T1"), ("test_one", "T2"), ("TestTwo", "C3")]
