"""The course of a training: rounds of games, learning from them, measuring, and going on after an interruption."""

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
from sixfold.train.ahead import Search
from sixfold.train.net import Net
from sixfold.train.selfplay import Habits, Lesson, Moment, Tables, duel, lesson

CHECKPOINT, NET, LOG = "checkpoint.pt", "net.npz", "log.jsonl"
# Games in which every other seat is played by an earlier net, so that nothing is unlearned.
OLDER_SHARE = 0.125
POOL = 8
# Lessons that are kept, and how many of them are learned again with each new one; those of a search cost more.
REMEMBERED, AGAIN = 4, 1
REMEMBERED_OF_SEARCH, AGAIN_OF_SEARCH = 16, 3
MARGIN_WEIGHT = 0.1
BATCH = 16384
# How far averaged weights follow the learning ones with every step.
FOLLOW = 0.002
SAVE_EVERY = 45.0
MOST_WORLDS = 256
# By how much the weight of later positions' results falls in the course of a training.
LESS_FAITH = 0.25


@dataclass(frozen=True)
class Course:
    """What is trained, and how: a length in minutes, or in rounds where it must be repeatable."""

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
    heat: float = 0.3
    faith: float = 0.85
    worlds: int = 0
    measure: int = 25

    def checked(self) -> "Course":
        """The same, if it makes sense."""
        features_of(self.game, self.players)
        if self.games < 2 or self.games % 2:
            raise SetupError(f"the games of a round have to be an even number, not {self.games}")
        if self.minutes <= 0 or (self.rounds is not None and self.rounds < 1):
            raise SetupError("a training lasts at least one round, and more than 0 minutes")
        if not 0 <= self.worlds <= MOST_WORLDS:
            raise SetupError(f"moves are played on in 0 to {MOST_WORLDS} worlds, not {self.worlds}")
        return self


class Recorded:
    """What a CUDA device does over and over again, only with other numbers: it is recorded, so that no step waits for
    Python (CUDA graph). For batches of another size there is no record; they are simply done."""

    def __init__(self, step: Callable[..., torch.Tensor]) -> None:
        self._do = step
        self._given: list[torch.Tensor] = []
        self._found = torch.empty(0)
        self._graph = torch.cuda.CUDAGraph()

    def __call__(self, *given: torch.Tensor) -> torch.Tensor:
        if not self._given:
            self._record(given)
        if any(mine.shape != other.shape for mine, other in zip(self._given, given, strict=True)):
            return self._do(*given)
        for mine, other in zip(self._given, given, strict=True):
            mine.copy_(other)
        self._graph.replay()
        return self._found

    def _record(self, given: tuple[torch.Tensor, ...]) -> None:
        """Take some steps first, so that everything is compiled and has its place."""
        self._given = [one.clone() for one in given]
        beside = torch.cuda.Stream()
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            for _ in range(3):
                self._do(*self._given)
        torch.cuda.current_stream().wait_stream(beside)
        with torch.cuda.graph(self._graph):
            self._found = self._do(*self._given)


class Training:
    """A net that learns; everything about it is in a folder."""

    def __init__(self, course: Course, folder: Path, begin: Path | None = None) -> None:
        self.course = course
        self.folder = folder
        features = features_of(course.game, course.players)
        torch.manual_seed(course.seed)
        torch.set_float32_matmul_precision("high")
        self.tables = Tables(features, course.players, course.games, course.device, course.cores)
        self.device = self.tables.device
        self.search = (
            Search(features, course.players, course.worlds, course.device, course.cores) if course.worlds else None
        )
        self.goal = float(features.GOAL)
        self.net = nets.made(features, course.players, course.hidden).to(self.device)
        self.fresh = begin is None
        self.games_before = 0 if begin is None else nets.read(begin, self.net, course.game, course.players)
        # The averaged net plays, and is the one that ships.
        self.average = self.net.twin()
        on_device = course.device == "cuda"
        rate = torch.tensor(course.rate, device=self.device)
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), lr=rate, weight_decay=1e-4, fused=on_device, capturable=on_device
        )
        self._step = Recorded(self.step) if on_device else self.step
        # A net to begin with is the oldest to measure against.
        self.pool: list[Net] = [] if self.fresh else [self.net.twin()]
        self.lessons: list[Lesson] = []
        self.random = random.Random(course.seed)
        self.rounds = 0
        self.seconds = 0.0
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / CHECKPOINT).exists():
            self._take_up()

    @property
    def progress(self) -> float:
        """How much of the training is done, from 0 to 1."""
        if self.course.rounds is not None:
            return min(1.0, self.rounds / self.course.rounds)
        return min(1.0, self.seconds / (60 * self.course.minutes))

    def run(self, tell: Callable[[dict[str, Any]], None], stop: Callable[[], bool]) -> None:
        """Train until the course is done or somebody stops it; either way the folder has all that was learned."""
        saved = self.seconds
        while self.progress < 1.0 and not stop():
            begin = time.perf_counter()
            line = self.round()
            self.rounds += 1
            self.seconds += time.perf_counter() - begin
            line.update(round=self.rounds, games=self.rounds * self.course.games, seconds=round(self.seconds, 1))
            if self.rounds % self.course.measure == 0 or self.progress >= 1.0:
                begin = time.perf_counter()
                line.update(self.measured())
                self.seconds += time.perf_counter() - begin
                self._log(line)
            if self.seconds - saved > SAVE_EVERY:
                self.save()
                saved = self.seconds
            tell(line)
        self.save()

    def round(self) -> dict[str, Any]:
        """Play the games of a round, and learn from them and once more from those of earlier rounds."""
        left = 1.0 - self.progress
        heat = max(0.02, self.course.heat * left)
        moments: list[Moment] = []
        begin = time.perf_counter()
        rewards, margins = self._play(Habits(heat, 0.02 * left), moments)
        # Early on, what a net says of later positions is worth nothing; later it is less a matter of luck than results.
        faith = 1.0 if self.fresh and self.progress < 0.05 else self.course.faith - LESS_FAITH * self.progress
        new = lesson(moments, rewards, margins, faith, self.goal)
        remembered, again = REMEMBERED, AGAIN
        if self.search:
            new = new.and_also(self.search.lesson())
            remembered, again = REMEMBERED_OF_SEARCH, AGAIN_OF_SEARCH
        self.lessons = [*self.lessons, new][-remembered:]
        played = time.perf_counter()
        rate = self.course.rate * left + 2e-5
        loss, off = self._learn(new, rate)
        for _ in range(again):
            self._learn(self.random.choice(self.lessons), rate)
        return {
            "decisions": len(moments),
            "positions": len(new.told),
            "heat": round(heat, 4),
            "rate": round(rate, 6),
            "loss": round(loss, 5),
            "margin_loss": round(off, 5),
            "playing": round(played - begin, 2),
            "learning": round(time.perf_counter() - played, 2),
        }

    def _play(self, habits: Habits, moments: list[Moment]) -> tuple[torch.Tensor, torch.Tensor]:
        games = self.course.games
        numbers = torch.arange(games, device=self.device) + self.rounds * games
        self.tables.deal(self.course.seed, numbers)
        second = torch.zeros((games, self.course.players), dtype=torch.bool, device=self.device)
        older = self.random.choice(self.pool) if self.pool else None
        if older is not None:
            some = int(games * OLDER_SHARE)
            seat = torch.arange(self.course.players, device=self.device).unsqueeze(0)
            second[:some] = (seat + torch.arange(some, device=self.device).unsqueeze(1)) % 2 == 1
        ahead = partial(self.search.think, self.average) if self.search else None
        return self.tables.play((self.average, older), second, habits, moments.append, ahead)

    def _learn(self, lesson: Lesson, rate: float) -> tuple[float, float]:
        """Go through a lesson once in random order; returns the mean losses of value and margin."""
        for group in self.optimizer.param_groups:
            group["lr"].fill_(rate)
        order = torch.randperm(len(lesson.told), device=self.device)
        losses = torch.zeros(2, device=self.device)
        batches = torch.split(order, BATCH)
        followers: list[torch.Tensor] = list(self.average.parameters())
        leaders: list[torch.Tensor] = list(self.net.parameters())
        follow = FOLLOW if len(batches) > 1 else 0.1
        for batch in batches:
            losses += self._step(lesson.told[batch], lesson.values[batch], lesson.margins[batch])
            torch._foreach_lerp_(followers, leaders, follow)
        mean = (losses / len(batches)).tolist()
        return mean[0], mean[1]

    def step(self, told: torch.Tensor, values: torch.Tensor, margins: torch.Tensor) -> torch.Tensor:
        """Learn from some positions at once; returns the losses of value and margin."""
        said = self.net(told)
        value = functional.binary_cross_entropy_with_logits(said[:, :-1], values)
        known = torch.where(margins.isnan(), said[:, -1].detach(), margins)
        margin = functional.mse_loss(said[:, -1], known)
        self.optimizer.zero_grad(set_to_none=True)
        (value + MARGIN_WEIGHT * margin).backward()
        self.optimizer.step()
        return torch.stack((value.detach(), margin.detach()))

    def measured(self) -> dict[str, float]:
        """How the net does against the one before, the oldest that is kept, and moves chosen at first sight."""
        seed = self.course.seed ^ 0x5EED
        found = {"first_sight": round(duel(self.tables, self.average, None, seed), 4)}
        if self.pool:
            found["before"] = round(duel(self.tables, self.average, self.pool[-1], seed), 4)
            found["oldest"] = round(duel(self.tables, self.average, self.pool[0], seed), 4)
        self.pool.append(self.average.twin())
        if len(self.pool) > POOL:
            # One leaves from the middle, so that old ones stay.
            del self.pool[self.random.randrange(1, POOL)]
        return found

    def _log(self, line: dict[str, Any]) -> None:
        with (self.folder / LOG).open("a") as file:
            file.write(json.dumps(line) + "\n")

    def save(self) -> None:
        """Write the net, and all that is needed to go on."""
        course = self.course
        games = self.games_before + self.rounds * course.games
        about = {"game": course.game, "players": course.players, "games": games}
        nets.write(self.average, self.folder / NET, version=features_of(course.game, course.players).VERSION, **about)
        kept = {
            "course": asdict(course),
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
        torch.save(kept, new)
        new.replace(self.folder / CHECKPOINT)

    def _take_up(self) -> None:
        """Go on where a training in this folder was interrupted."""
        kept = torch.load(self.folder / CHECKPOINT, map_location=self.device, weights_only=True)
        for name in ("game", "players", "hidden"):
            was, now = kept["course"][name], asdict(self.course)[name]
            if tuple(was) != tuple(now) if name == "hidden" else was != now:
                raise SetupError(f"{self.folder} holds a training with {name} {was}, not {now}; name another folder")
        self.net.load_state_dict(kept["net"])
        self.average.load_state_dict(kept["average"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.pool = []
        for state in kept["pool"]:
            earlier = self.net.twin()
            earlier.load_state_dict(state)
            self.pool.append(earlier)
        self.rounds, self.seconds = kept["rounds"], kept["seconds"]
        version, words, gauss = kept["random"]
        self.random.setstate((version, tuple(words), gauss))
        torch.set_rng_state(kept["torch"].cpu())
