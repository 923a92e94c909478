"""The steps of deploy/Containerfile, taken in a folder instead of a container: for machines without a builder."""

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
    """Each instruction's word and the rest of it."""
    text = re.sub(r"\\\n\s*", "", re.sub(r"^\s*#.*\n", "", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in text.splitlines() if line.strip())]


def only(word: str) -> str:
    """The rest of the only instruction with a word."""
    (found,) = [rest for other, rest in instructions() if other == word]
    return found


class Built:
    """What the steps of an ordinary user leave in a folder. Those of root, which make the user, are not taken."""

    def __init__(self, place: Path, dist: Path) -> None:
        self.place, self._dist = place, dist
        self.home = place / "home"
        (place / "data").mkdir()
        self.home.mkdir()
        # A clean environment: nothing of ours but a Python. Few of the files that are installed are used here.
        self.environment = {
            "PATH": f"{Path(sys.base_prefix) / 'bin'}:/usr/bin:/bin",
            "HOME": str(self.home),
            "PIP_NO_COMPILE": "1",
        }
        kept = ("PIP_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONFIG_FILE", "SSL_CERT_FILE", "http_proxy", "https_proxy")
        self.environment |= {name: os.environ[name] for name in kept if name in os.environ}

    def moved(self, text: str) -> str:
        """A text with the container's folders where they are here."""
        text = text.replace(only("WORKDIR"), str(self.home))
        return text.replace("//data/", f"/{self.place}/data/").replace("$PATH", self.environment["PATH"])

    def build(self, before_compiling: Path | None = None) -> None:
        """All steps after USER. What was compiled elsewhere from the same sources can be given before the last."""
        steps = instructions()
        for word, rest in steps[[word for word, _ in steps].index("USER") + 1 :]:
            if word == "COPY":
                shutil.copy(ROOT / "constraints.txt", self.home)
                shutil.copy(next(self._dist.glob("*.whl")), self.home)
            elif word == "ENV":
                name, _, value = rest.partition("=")
                self.environment[name] = self.moved(value)
            elif word == "RUN":
                if before_compiling is not None and rest.startswith("python -c"):
                    self._bring_compiled(before_compiling)
                self.run("sh", "-c", rest)

    def _bring_compiled(self, sources: Path) -> None:
        (package,) = self.home.glob("venv/lib/python*/site-packages/sixfold")
        for file in sources.rglob("__pycache__/*.nb[ic]"):
            target = package / file.relative_to(sources)
            target.parent.mkdir(exist_ok=True)
            shutil.copy(file, target)

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
        """What the container runs, on another port."""
        return [*json.loads(only("CMD")), "--port", str(port)]

    def healthy(self, port: int) -> bool:
        """What its health check says."""
        words = json.loads(only("HEALTHCHECK").partition("CMD ")[2])
        check = [word.replace(f":{only('EXPOSE')}/", f":{port}/") for word in words]
        return subprocess.run(check, env=self.environment, capture_output=True).returncode == 0
