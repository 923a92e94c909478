"""The arena on a real Ray cluster of two machines, one of which dies in the middle."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sixfold.arena.journal import Journal
from sixfold.arena.runner import Backend, Progress, run
from sixfold.arena.schedule import Settings
from sixfold.bots import Budget
from sixfold.errors import SetupError

pytest.importorskip("ray", reason="sixfold[arena] is not installed")

SMALL = {"object_store_memory": 80_000_000, "include_dashboard": False}


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    traces = tmp_path / "traces"
    traces.mkdir()
    monkeypatch.setenv("SIXFOLD_TEST_TRACES", str(traces))
    monkeypatch.setenv("SIXFOLD_TEST_PAUSE", "0.01")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **SMALL})
    yield cluster
    cluster.shutdown()


@pytest.mark.xdist_group("ray")
def test_a_machine_that_dies_costs_no_game_and_doubles_none(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines = [cluster.add_node(num_cpus=1, object_store_memory=SMALL["object_store_memory"]) for _ in range(2)]
    settings = Settings(
        "dice", ("tests.arena.bots:Counted", "random"), games=30, budget=Budget(iterations=1), seed=3
    ).checked()
    killed: list[Any] = []

    def tell(progress: Progress) -> None:
        if progress.done >= 6 and not killed:
            killed.append(machines[0])
            cluster.remove_node(machines[0], allow_graceful=False)

    results = run(settings, tmp_path / "ray", Backend(1, cluster.address), tell)
    assert killed
    assert results["games"] == settings.total == 30
    with (tmp_path / "ray" / "games.jsonl").open() as file:
        keys = [line.split('"places"')[0] for line in file if '"places"' in line]
    assert len(keys) == len(set(keys)) == 30
    # The dead machine was playing: those games were begun a second time elsewhere.
    assert len(list((tmp_path / "traces").iterdir())) > 30
    monkeypatch.setenv("SIXFOLD_TEST_PAUSE", "0")
    alone = run(settings, tmp_path / "alone", Backend(2), lambda progress: None)
    assert places(settings, tmp_path / "ray") == places(settings, tmp_path / "alone")
    assert [bot["rating"] for bot in results["bots"]] == [bot["rating"] for bot in alone["bots"]]


def places(settings: Settings, folder: Path) -> dict[Any, list[int]]:
    with closing(Journal(folder, settings)) as journal:
        return {fixture: outcome.places for fixture, outcome in journal.outcomes.items()}


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:none"])
@pytest.mark.xdist_group("ray")
def test_an_address_without_a_cluster_is_refused(address: str, tmp_path: Path) -> None:
    settings = Settings("dice", ("tests.arena.bots:First", "random"), games=2).checked()
    with pytest.raises(SetupError, match="no Ray cluster answers"):
        run(settings, tmp_path / "run", Backend(1, address), lambda progress: None)
    assert not (tmp_path / "run").exists()
