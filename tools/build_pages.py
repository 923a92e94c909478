"""Build hook: a wheel always contains the browser's pages, so that ``pip install .`` leads to a playable page."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INDEX = "src/sixfold/server/pages/index.html"


class BuildPages(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or (Path(self.root) / INDEX).is_file():
            return
        missing = [program for program in ("make", "node", "npm") if shutil.which(program) is None]
        if missing:
            sys.exit(
                f"Sixfold's pages are not built, and building them needs {' and '.join(missing)}. "
                "Install Node.js 20.19 or newer and make, or install a wheel, which contains the pages."
            )
        print("Building Sixfold's pages; this takes about two minutes.", file=sys.stderr, flush=True)
        # Make sets up its own environment, with a pip of its own.
        environment = {name: os.environ[name] for name in os.environ if name not in ("PYTHONPATH", "PIP_BUILD_TRACKER")}
        if subprocess.run(["make", "pages", f"PYTHON={sys.executable}"], cwd=self.root, env=environment).returncode:
            sys.exit("Sixfold's pages could not be built, so nothing was installed. Run: make pages")
