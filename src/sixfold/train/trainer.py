"""The training loop: rounds of self-play, optimisation, measurement, and checkpoints to resume from."""

import json
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from sixfold.bots.net import features_of
from sixfold.engine.game import SetupError
from sixfold.train import net as nets
from sixfold.train.net import Net
from sixfold.train.search_targets import Search
from sixfold.train.selfplay import Exploration, GameBatch, Snapshot, TrainingBatch, duel, training_batch

CHECKPOINT, NET, LOG = "checkpoint.pt", "net.npz", "log.jsonl"
# The share of games in which every other seat is played by an earlier net, against forgetting.
OLDER_SHARE = 0.125
POOL = 8
# The number of batches in the replay buffer, and how many of them are replayed with each new one; batches with search
# targets are more expensive, so they are replayed more often.
REPLAY_SIZE, REPLAYS = 4, 1
SEARCH_REPLAY_SIZE, SEARCH_REPLAYS = 16, 3
MARGIN_WEIGHT = 0.1
MINIBATCH = 16384
# The rate of the exponential moving average of the weights, per step.
EMA_RATE = 0.002
SAVE_SECONDS = 45.0
MOST_WORLDS = 256
# Fields that have another name in checkpoints.
STORED_NAMES = {"temperature": "heat", "lambda_": "faith"}
# How much the λ of TD(λ) decreases in the course of a training.
LAMBDA_DECAY = 0.25


@dataclass(frozen=True)
class TrainingConfig:
    """The configuration of a training; its length is given in minutes, or in rounds to be reproducible."""

    game: str
    hidden: tuple[int, ...]
    players: int = 2
    games: int = 16384
    minutes: float = 25.0
    rounds: int | None = None
    seed: int = 1
    device: str = "cuda"
    cores: int = 1
    rate: float = 1e-3
    temperature: float = 0.3
    lambda_: float = 0.85
    worlds: int = 0
    measure: int = 25

    def checked(self) -> "TrainingConfig":
        """Return this configuration if it is valid, else raise."""
        features_of(self.game, self.players)
        if self.games < 2 or self.games % 2:
            raise SetupError(f"the games of a round have to be an even number, not {self.games}")
        if self.minutes <= 0 or (self.rounds is not None and self.rounds < 1):
            raise SetupError("a training lasts at least one round, and more than 0 minutes")
        if not 0 <= self.worlds <= MOST_WORLDS:
            raise SetupError(f"moves are played on in 0 to {MOST_WORLDS} worlds, not {self.worlds}")
        return self


class CudaGraphStep:
    """A training step recorded as a CUDA graph, which avoids the overhead of Python; minibatches of another size than
    the recorded one run without the graph."""

    def __init__(self, step: Callable[..., torch.Tensor]) -> None:
        self._step = step
        self._inputs: list[torch.Tensor] = []
        self._output = torch.empty(0)
        self._graph = torch.cuda.CUDAGraph()

    def __call__(self, *inputs: torch.Tensor) -> torch.Tensor:
        if not self._inputs:
            self._record(inputs)
        if any(static.shape != new.shape for static, new in zip(self._inputs, inputs, strict=True)):
            return self._step(*inputs)
        for static, new in zip(self._inputs, inputs, strict=True):
            static.copy_(new)
        self._graph.replay()
        return self._output

    def _record(self, inputs: tuple[torch.Tensor, ...]) -> None:
        """Record the graph, after some warm-up steps that compile and allocate everything."""
        self._inputs = [tensor.clone() for tensor in inputs]
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                self._step(*self._inputs)
        torch.cuda.current_stream().wait_stream(stream)
        with torch.cuda.graph(self._graph):
            self._output = self._step(*self._inputs)


class Trainer:
    """Trains a net and keeps all its files in a folder."""

    def __init__(self, config: TrainingConfig, folder: Path, begin: Path | None = None) -> None:
        self.config = config
        self.folder = folder
        features = features_of(config.game, config.players)
        torch.manual_seed(config.seed)
        torch.set_float32_matmul_precision("high")
        self.batch = GameBatch(features, config.players, config.games, config.device, config.cores)
        self.device = self.batch.device
        self.search = (
            Search(features, config.players, config.worlds, config.device, config.cores) if config.worlds else None
        )
        self.goal = float(features.GOAL)
        self.net = nets.create(features, config.players, config.hidden).to(self.device)
        self.fresh = begin is None
        self.games_before = 0 if begin is None else nets.read(begin, self.net, config.game, config.players)
        # The averaged net plays the games, and is the one that is shipped.
        self.average = self.net.frozen_copy()
        on_device = config.device == "cuda"
        rate = torch.tensor(config.rate, device=self.device)
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), lr=rate, weight_decay=1e-4, fused=on_device, capturable=on_device
        )
        self._step = CudaGraphStep(self.step) if on_device else self.step
        # An initial net is the oldest one to measure against.
        self.pool: list[Net] = [] if self.fresh else [self.net.frozen_copy()]
        self.replay: list[TrainingBatch] = []
        self.random = random.Random(config.seed)
        self.rounds = 0
        self.seconds = 0.0
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / CHECKPOINT).exists():
            self._resume()

    @property
    def progress(self) -> float:
        """The finished share of the training, from 0 to 1."""
        if self.config.rounds is not None:
            return min(1.0, self.rounds / self.config.rounds)
        return min(1.0, self.seconds / (60 * self.config.minutes))

    def run(self, tell: Callable[[dict[str, Any]], None], stop: Callable[[], bool]) -> None:
        """Train until the end or until ``stop`` returns True; the state is saved in either case."""
        saved = self.seconds
        while self.progress < 1.0 and not stop():
            begin = time.perf_counter()
            line = self.round()
            self.rounds += 1
            self.seconds += time.perf_counter() - begin
            line.update(round=self.rounds, games=self.rounds * self.config.games, seconds=round(self.seconds, 1))
            if self.rounds % self.config.measure == 0 or self.progress >= 1.0:
                begin = time.perf_counter()
                line.update(self.measure_strength())
                self.seconds += time.perf_counter() - begin
                self._log(line)
            if self.seconds - saved > SAVE_SECONDS:
                self.save()
                saved = self.seconds
            tell(line)
        self.save()

    def round(self) -> dict[str, Any]:
        """Play the games of a round, and train on them and on replayed batches of earlier rounds."""
        remaining = 1.0 - self.progress
        temperature = max(0.02, self.config.temperature * remaining)
        snapshots: list[Snapshot] = []
        begin = time.perf_counter()
        rewards, margins = self._play(Exploration(temperature, 0.02 * remaining), snapshots)
        # At first a net's predictions for later positions are worthless; later they are less noisy than results.
        lambda_ = 1.0 if self.fresh and self.progress < 0.05 else self.config.lambda_ - LAMBDA_DECAY * self.progress
        batch = training_batch(snapshots, rewards, margins, lambda_, self.goal)
        replay_size, replays = REPLAY_SIZE, REPLAYS
        if self.search:
            batch = batch.concat(self.search.take_targets())
            replay_size, replays = SEARCH_REPLAY_SIZE, SEARCH_REPLAYS
        self.replay = [*self.replay, batch][-replay_size:]
        played = time.perf_counter()
        rate = self.config.rate * remaining + 2e-5
        loss, margin_loss = self._learn(batch, rate)
        for _ in range(replays):
            self._learn(self.random.choice(self.replay), rate)
        return {
            "decisions": len(snapshots),
            "positions": len(batch.inputs),
            "heat": round(temperature, 4),
            "rate": round(rate, 6),
            "loss": round(loss, 5),
            "margin_loss": round(margin_loss, 5),
            "playing": round(played - begin, 2),
            "learning": round(time.perf_counter() - played, 2),
        }

    def _play(self, exploration: Exploration, snapshots: list[Snapshot]) -> tuple[torch.Tensor, torch.Tensor]:
        games = self.config.games
        numbers = torch.arange(games, device=self.device) + self.rounds * games
        self.batch.deal(self.config.seed, numbers)
        second = torch.zeros((games, self.config.players), dtype=torch.bool, device=self.device)
        older = self.random.choice(self.pool) if self.pool else None
        if older is not None:
            count = int(games * OLDER_SHARE)
            seat = torch.arange(self.config.players, device=self.device).unsqueeze(0)
            second[:count] = (seat + torch.arange(count, device=self.device).unsqueeze(1)) % 2 == 1
        lookahead = partial(self.search.improve, self.average) if self.search else None
        return self.batch.play((self.average, older), second, exploration, snapshots.append, lookahead)

    def _learn(self, batch: TrainingBatch, rate: float) -> tuple[float, float]:
        """Train on a batch once in random order; returns the mean losses of value and margin."""
        for group in self.optimizer.param_groups:
            group["lr"].fill_(rate)
        order = torch.randperm(len(batch.inputs), device=self.device)
        losses = torch.zeros(2, device=self.device)
        minibatches = torch.split(order, MINIBATCH)
        followers: list[torch.Tensor] = list(self.average.parameters())
        leaders: list[torch.Tensor] = list(self.net.parameters())
        follow = EMA_RATE if len(minibatches) > 1 else 0.1
        for minibatch in minibatches:
            losses += self._step(batch.inputs[minibatch], batch.values[minibatch], batch.margins[minibatch])
            torch._foreach_lerp_(followers, leaders, follow)
        mean = (losses / len(minibatches)).tolist()
        return mean[0], mean[1]

    def step(self, inputs: torch.Tensor, values: torch.Tensor, margins: torch.Tensor) -> torch.Tensor:
        """Train on a minibatch; returns the losses of value and margin."""
        outputs = self.net(inputs)
        value = functional.binary_cross_entropy_with_logits(outputs[:, :-1], values)
        targets = torch.where(margins.isnan(), outputs[:, -1].detach(), margins)
        margin = functional.mse_loss(outputs[:, -1], targets)
        self.optimizer.zero_grad(set_to_none=True)
        (value + MARGIN_WEIGHT * margin).backward()
        self.optimizer.step()
        return torch.stack((value.detach(), margin.detach()))

    def measure_strength(self) -> dict[str, float]:
        """The net's results against the previous net, the oldest in the pool, and the heuristic alone."""
        seed = self.config.seed ^ 0x5EED
        shares = {"first_sight": round(duel(self.batch, self.average, None, seed), 4)}
        if self.pool:
            shares["before"] = round(duel(self.batch, self.average, self.pool[-1], seed), 4)
            shares["oldest"] = round(duel(self.batch, self.average, self.pool[0], seed), 4)
        self.pool.append(self.average.frozen_copy())
        if len(self.pool) > POOL:
            # Remove one from the middle, so that old ones stay.
            del self.pool[self.random.randrange(1, POOL)]
        return shares

    def _log(self, line: dict[str, Any]) -> None:
        with (self.folder / LOG).open("a") as file:
            file.write(json.dumps(line) + "\n")

    def save(self) -> None:
        """Write the net, and a checkpoint to resume from."""
        config = self.config
        games = self.games_before + self.rounds * config.games
        version = features_of(config.game, config.players).VERSION
        metadata = {"game": config.game, "players": config.players, "games": games}
        nets.write(self.average, self.folder / NET, version=version, **metadata)
        checkpoint = {
            "course": {STORED_NAMES.get(name, name): value for name, value in asdict(config).items()},
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "pool": [net.state_dict() for net in self.pool],
            "rounds": self.rounds,
            "seconds": self.seconds,
            "random": self.random.getstate(),
            "torch": torch.get_rng_state(),
        }
        new = self.folder / (CHECKPOINT + ".new")
        torch.save(checkpoint, new)
        new.replace(self.folder / CHECKPOINT)

    def _resume(self) -> None:
        """Resume the interrupted training in this folder."""
        checkpoint = torch.load(self.folder / CHECKPOINT, map_location=self.device, weights_only=True)
        for name in ("game", "players", "hidden"):
            stored, current = checkpoint["course"][name], asdict(self.config)[name]
            if tuple(stored) != tuple(current) if name == "hidden" else stored != current:
                raise SetupError(
                    f"{self.folder} holds a training with {name} {stored}, not {current}; name another folder"
                )
        self.net.load_state_dict(checkpoint["net"])
        self.average.load_state_dict(checkpoint["average"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])
        self.pool = []
        for state in checkpoint["pool"]:
            earlier = self.net.frozen_copy()
            earlier.load_state_dict(state)
            self.pool.append(earlier)
        self.rounds, self.seconds = checkpoint["rounds"], checkpoint["seconds"]
        version, words, gauss = checkpoint["random"]
        self.random.setstate((version, tuple(words), gauss))
        torch.set_rng_state(checkpoint["torch"].cpu())
