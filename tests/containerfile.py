"""Runs the steps of deploy/Containerfile in a folder instead of a container, for machines without a builder."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = ROOT / "deploy" / "Containerfile"
Instruction = tuple[str, str]


def instructions() -> list[Instruction]:
    """Each instruction's keyword and arguments."""
    text = re.sub(r"\\\n\s*", "", re.sub(r"^\s*#.*\n", "", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in text.splitlines() if line.strip())]


def only(word: str) -> str:
    """The arguments of the only instruction with this keyword."""
    (arguments,) = [rest for keyword, rest in instructions() if keyword == word]
    return arguments


def copy_compiled(sources: Path, package: Path) -> None:
    """Copy compiled files of a source tree to the same sources elsewhere."""
    for file in sources.rglob("__pycache__/*.nb[ic]"):
        target = package / file.relative_to(sources)
        target.parent.mkdir(exist_ok=True)
        shutil.copy(file, target)


class ContainerBuild:
    """The result of the steps after USER in a folder; the steps of root, which create the user, are skipped."""

    def __init__(self, folder: Path, dist: Path) -> None:
        self.folder, self._dist = folder, dist
        self.home = folder / "home"
        (folder / "data").mkdir()
        self.home.mkdir()
        # A clean environment with nothing but Python. Few installed files are used, so none are compiled.
        self.environment = {
            "PATH": f"{Path(sys.base_prefix) / 'bin'}:/usr/bin:/bin",
            "HOME": str(self.home),
            "PIP_NO_COMPILE": "1",
        }
        inherited = ("PIP_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONFIG_FILE", "SSL_CERT_FILE", "http_proxy", "https_proxy")
        self.environment |= {name: os.environ[name] for name in inherited if name in os.environ}

    def relocate(self, text: str) -> str:
        """Replace the container's folders in a text by the local ones."""
        text = text.replace(only("WORKDIR"), str(self.home))
        return text.replace("//data/", f"/{self.folder}/data/").replace("$PATH", self.environment["PATH"])

    def build(self, before_compiling: Path | None = None) -> None:
        """Run all steps after USER; before the last one, copy compiled files from ``before_compiling`` if given."""
        steps = instructions()
        for word, rest in steps[[word for word, _ in steps].index("USER") + 1 :]:
            if word == "COPY":
                shutil.copy(ROOT / "constraints.txt", self.home)
                shutil.copy(next(self._dist.glob("*.whl")), self.home)
            elif word == "ENV":
                name, _, value = rest.partition("=")
                self.environment[name] = self.relocate(value)
            elif word == "RUN":
                if before_compiling is not None and rest.startswith("python -c"):
                    (package,) = self.home.glob("venv/lib/python*/site-packages/sixfold")
                    copy_compiled(before_compiling, package)
                self.run("sh", "-c", rest)

    def run(self, *command: str) -> str:
        done = subprocess.run(
            command,
            cwd=self.home,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        assert done.returncode == 0, f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}"
        return done.stdout

    def command(self, port: int) -> list[str]:
        """The command that the container runs, on another port."""
        return [*json.loads(only("CMD")), "--port", str(port)]

    def healthy(self, port: int) -> bool:
        """Whether the container's health check succeeds."""
        words = json.loads(only("HEALTHCHECK").partition("CMD ")[2])
        check = [word.replace(f":{only('EXPOSE')}/", f":{port}/") for word in words]
        return subprocess.run(check, env=self.environment, capture_output=True).returncode == 0
