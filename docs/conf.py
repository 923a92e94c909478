"""How the pages of this folder become a site: make docs."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "Sixfold"
author = copyright = PROJECT["authors"][0]["name"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
# Links within a page lead to its headings, as they do where the source is read.
myst_heading_anchors = 4
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = "Sixfold"
html_show_sphinx = False
html_copy_source = False
