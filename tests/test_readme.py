"""The README's examples print what the README says."""

import doctest
import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_the_examples_in_the_readme_hold() -> None:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for number, block in enumerate(blocks, start=1):
        examples = doctest.DocTestParser().get_doctest(block, names, f"README, block {number}", str(README), 0)
        runner = doctest.DocTestRunner()
        runner.run(examples, clear_globs=False)
        names = examples.globs
        assert runner.summarize().failed == 0
