"""A compact table of every move's notation by its number: travel has 8,642 moves, but few distinct words."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

# Shorter runs of moves are listed in full.
MIN_PRODUCT = 64


def blocks(texts: Sequence[str | None]) -> list[Any]:
    """The texts as blocks: a list of texts, or a product.

    A product stands for ``outer * inner`` moves. Every word of move number ``n`` in it is a constant, or an entry of a
    list at ``n // inner`` ("outer") or ``n % inner`` ("inner"); ``not`` lists the unused numbers.
    """
    result: list[Any] = []
    for _, group in groupby(_filled(texts), key=lambda words: len(words[1])):
        run = list(group)
        first = run[0][0]
        product = _product(texts[first : first + len(run)]) if len(run) >= MIN_PRODUCT else None
        result.append(product or list(texts[first : first + len(run)]))
    return result


def _filled(texts: Sequence[str | None]) -> list[tuple[int, list[str]]]:
    """Every number with its words; unused numbers take those of the previous move."""
    filled: list[tuple[int, list[str]]] = []
    for number, text in enumerate(texts):
        previous = (
            filled[-1][1] if filled else next(candidate for candidate in texts if candidate is not None).split(" ")
        )
        filled.append((number, previous if text is None else text.split(" ")))
    return filled


def _product(texts: Sequence[str | None]) -> dict[str, Any] | None:
    """The texts as a product, or None if they do not form one."""
    for inner in range(2, len(texts)):
        if len(texts) % inner:
            continue
        words = _columns(texts, inner)
        if words is not None:
            missing = [number for number, text in enumerate(texts) if text is None]
            return {"inner": inner, "outer": len(texts) // inner, "words": words, "not": _runs(missing)}
    return None


def _columns(texts: Sequence[str | None], inner: int) -> list[Any] | None:
    split = [None if text is None else text.split(" ") for text in texts]
    size = max(len(words) for words in split if words)
    columns: list[Any] = []
    for place in range(size):
        column = [None if words is None else words[place] for words in split]
        if len(set(column) - {None}) == 1:
            columns.append(next(word for word in column if word is not None))
            continue
        for by in ("outer", "inner"):
            rows = [number // inner if by == "outer" else number % inner for number in range(len(texts))]
            table: dict[int, str] = {}
            if all(word is None or table.setdefault(row, word) == word for row, word in zip(rows, column, strict=True)):
                columns.append({by: [table.get(row) for row in range(max(rows) + 1)]})
                break
        else:
            return None
    return columns


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Numbers as runs: the start and length of each."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == sum(runs[-1]):
            runs[-1][1] += 1
        else:
            runs.append([number, 1])
    return runs
