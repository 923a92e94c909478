"""Every move's text by its number, as a short table: travel has 8,642 of them, but few words."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

# Fewer moves than this are written out.
FEW = 64


def blocks(texts: Sequence[str | None]) -> list[Any]:
    """The texts as blocks: a list of texts, or a product.

    A product stands for ``outer * inner`` moves. Every word of move number ``n`` in it is a text, or stands in a list
    by ``n`` divided by ``inner`` ("outer") or by the rest ("inner"); ``not`` lists the numbers that no move has.
    """
    found: list[Any] = []
    for _, group in groupby(_filled(texts), key=lambda words: len(words[1])):
        run = list(group)
        first = run[0][0]
        product = _product(texts[first : first + len(run)]) if len(run) >= FEW else None
        found.append(product or list(texts[first : first + len(run)]))
    return found


def _filled(texts: Sequence[str | None]) -> list[tuple[int, list[str]]]:
    """Every number with its words; numbers that no move has go with those before them."""
    filled: list[tuple[int, list[str]]] = []
    for number, text in enumerate(texts):
        before = filled[-1][1] if filled else next(other for other in texts if other is not None).split(" ")
        filled.append((number, before if text is None else text.split(" ")))
    return filled


def _product(texts: Sequence[str | None]) -> dict[str, Any] | None:
    """The texts as a product, or None where they are none."""
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
    """Numbers as runs: where each begins and how many there are."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == sum(runs[-1]):
            runs[-1][1] += 1
        else:
            runs.append([number, 1])
    return runs
