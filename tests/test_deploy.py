"""What an operator installs fits the program: container, compose file, service; and how a release is written."""

import configparser
import datetime
import json
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml  # type: ignore[import-untyped]

from sixfold.cli import app
from tests.containerfile import FILE, ROOT, instructions, only

RELEASE = runpy.run_path(str(ROOT / "tools" / "release.py"))
COMMANDS: Any = typer.main.get_command(app)


def options_of(command: str) -> set[str]:
    return {name for option in COMMANDS.commands[command].params for name in option.opts}


def settings() -> set[str]:
    return {option.envvar for option in COMMANDS.commands["serve"].params if option.envvar}


def test_the_container_file_has_nothing_to_complain_about() -> None:
    lint = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or "hadolint"
    done = subprocess.run([lint, "--no-color", FILE], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_container_serves_as_nobody_special_and_says_how_it_is() -> None:
    words = [word for word, _ in instructions()]
    assert words.index("USER") < words.index("CMD")
    assert only("USER") not in ("root", "0")
    program, command, *rest = json.loads(only("CMD"))
    assert program == "sixfold"
    assert {word for word in rest if word.startswith("--")} <= options_of(command)
    assert f":{only('EXPOSE')}/ready" in only("HEALTHCHECK")
    names = {rest.partition("=")[0] for word, rest in instructions() if word == "ENV"}
    assert names - {"PATH"} <= settings()


def test_the_compose_file_waits_for_the_database_and_its_layout() -> None:
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))["services"]
    nodes = [service for service in services.values() if "build" in service]
    assert len(nodes) == 2
    for node in nodes:
        assert (ROOT / "deploy" / node["build"]["context"] / node["build"]["dockerfile"]).resolve() == FILE
        assert set(node["environment"]) == settings()
        assert node["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
        assert all(port.endswith(f":{only('EXPOSE')}") for port in node["ports"])
    program, command = services["migrate"]["command"]
    assert (program, command in COMMANDS.commands) == ("sixfold", True)
    assert services["migrate"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    hosts = re.findall(r"(?:@|redis://)(\w+)", " ".join(nodes[0]["environment"].values()))
    assert set(hosts) <= set(services)
    # Nobody's password is in the file.
    assert services["database"]["environment"]["POSTGRES_PASSWORD"].startswith("${SIXFOLD_PASSWORD:?")


def test_the_service_starts_what_there_is() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "deploy" / "sixfold.service", encoding="utf-8")
    service = unit["Service"]
    program, command, *rest = shlex.split(service["ExecStart"])
    assert Path(program).name == "sixfold"
    assert {word for word in rest if word.startswith("--")} <= options_of(command)
    assert service["StateDirectory"] in service["WorkingDirectory"]
    analyze = shutil.which("systemd-analyze")
    if analyze is not None:
        done = subprocess.run([analyze, "verify", ROOT / "deploy" / "sixfold.service"], capture_output=True, text=True)
        complaints = [line for line in done.stderr.splitlines() if "sixfold.service" in line]
        assert all("is not executable" in line for line in complaints), complaints


LOG = "# Changes\n\n## Unreleased\n\n### Added\n- Something.\n\n## 0.1.0\n\n- All of it.\n"


def test_a_release_writes_its_heading_and_leaves_room_for_the_next() -> None:
    written = RELEASE["with_heading"](LOG, "0.2.0", datetime.date(2026, 11, 15))
    headings = re.findall(r"^## (.*)$", written, flags=re.MULTILINE)
    assert headings == ["Unreleased", "0.2.0 (2026-11-15)", "0.1.0"]
    with pytest.raises(SystemExit, match="nothing under Unreleased"):
        RELEASE["with_heading"](written, "0.3.0", datetime.date(2026, 11, 16))


def test_a_release_comes_after_the_last_one() -> None:
    source = RELEASE["VERSION"].read_text(encoding="utf-8")
    assert '__version__ = "99.0.0"' in RELEASE["with_version"](source, "99.0.0")
    for version, why in (("0.0.1", "does not come after"), ("1.2", "three numbers"), ("v2.0.0", "three numbers")):
        with pytest.raises(SystemExit, match=why):
            RELEASE["with_version"](source, version)


def test_make_release_wants_a_version() -> None:
    told = subprocess.run(["make", "--dry-run", "release", "VERSION=9.0.0"], cwd=ROOT, capture_output=True, text=True)
    steps = [told.stdout.index(step) for step in ("--look", "make test", "release.py 9.0.0\n", "wheel docs site")]
    assert steps == sorted(steps)
