"""Which games are played, and that luck cancels in them."""

from collections import Counter

import pytest

from sixfold.arena.match import Outcome, play
from sixfold.arena.results import summary
from sixfold.arena.schedule import Settings, read_budget, seatings, write_budget
from sixfold.bots import Budget
from sixfold.engine.record import replay
from sixfold.errors import SetupError
from tests.arena.bots import Nobody

FIRST, AGAIN, CAREFUL = (f"tests.arena.bots:{name}" for name in ("First", "Again", "Careful"))


def played(settings: Settings) -> list[Outcome]:
    return [play(settings, fixture, Nobody()) for fixture in settings.fixtures()]


def test_every_bot_has_every_seat_equally_often_in_the_same_company() -> None:
    for players, orders in ((2, 2), (3, 6), (4, 14)):
        seats = seatings(("A", "B"), players)
        assert len(seats) == len(set(seats)) == orders
        for seat in range(players):
            assert Counter(row[seat] for row in seats) == {"A": orders // 2, "B": orders // 2}
        swapped = {tuple("AB"["BA".index(bot)] for bot in row) for row in seats}
        assert swapped == set(seats)


def test_every_pairing_is_played_in_whole_deals() -> None:
    settings = Settings("cards", ("random", FIRST, AGAIN), players=3, games=7).checked()
    fixtures = list(settings.fixtures())
    assert settings.deals == 2
    assert len(fixtures) == len(set(fixtures)) == settings.total == 2 * 3 * 6
    pairs = Counter(frozenset(fixture.seats) for fixture in fixtures)
    assert pairs == {frozenset(pair): 12 for pair in (("random", FIRST), ("random", AGAIN), (FIRST, AGAIN))}


@pytest.mark.parametrize(("game", "players"), [("travel", 2), ("cards", 3), ("dice", 2), ("dice", 4)])
def test_a_bot_against_itself_comes_to_exactly_half(game: str, players: int) -> None:
    settings = Settings(game, (FIRST, AGAIN), players, games=20).checked()
    results = summary(settings, {outcome.fixture: outcome for outcome in played(settings)}, [])
    assert results["games"] >= 20
    assert results["pairs"][0]["ahead"][0] == 0.5
    assert [bot["win_rate"][0] for bot in results["bots"]] == [0.5, 0.5]
    assert [bot["mean_place"][0] for bot in results["bots"]] == [(players + 1) / 2] * 2
    assert [bot["rating"] for bot in results["bots"]] == [0, 0]


def test_all_seat_orders_of_a_deal_begin_alike_and_other_deals_do_not() -> None:
    settings = Settings("travel", (FIRST, "random"), games=6).checked()
    seen: dict[int, set[tuple[int, ...]]] = {}

    class Opening(Nobody):
        def thinking_started(self, seat: int, events: list[str]) -> None:
            if len(events) == 2:
                seen.setdefault(fixture.deal, set()).add(tuple(map(hash, events)))

    for fixture in settings.fixtures():
        play(settings, fixture, Opening())
    assert [len(openings) for openings in seen.values()] == [1, 1, 1]
    assert len(set.union(*seen.values())) == 3


def test_a_stronger_bot_is_seen_to_be_stronger() -> None:
    settings = Settings("dice", (CAREFUL, "random"), players=3, games=30, seed=4).checked()
    results = summary(settings, {outcome.fixture: outcome for outcome in played(settings)}, [])
    careful, random = results["bots"]
    assert results["pairs"][0]["ahead"][1] > 0.5
    assert careful["mean_place"][2] < 2 < random["mean_place"][1]
    assert careful["mean_place"][0] + random["mean_place"][0] == pytest.approx(4, abs=1e-4)
    assert careful["rating"] - random["rating"] > 2 * random["error"]
    assert careful["time"]["mean"] > random["time"]["mean"]


@pytest.mark.parametrize("game", ["travel", "cards", "dice"])
def test_values_and_places_are_those_of_the_game(game: str) -> None:
    settings = Settings(game, ("tests.arena.bots:Raises", "random"), games=2).checked()
    for outcome in played(settings):
        assert outcome.fault is not None
        again = replay(outcome.fault.record).game
        assert again.values == outcome.values
        assert again.turn == outcome.fault.seat
        assert len(again.events) + 1 == outcome.fault.event


def test_budgets_are_read_as_they_are_written() -> None:
    assert read_budget("100ms") == Budget(milliseconds=100)
    assert read_budget("0.5ms") == Budget(milliseconds=0.5)
    assert read_budget("500it") == Budget(iterations=500)
    assert [write_budget(read_budget(text)) for text in ("100ms", "500it", None)] == ["100ms", "500it", None]
    for wrong in ("", "100", "1.5it", "0ms", "-1ms", "10 ms", "ms"):
        with pytest.raises(SetupError, match="a budget is written"):
            read_budget(wrong)


def test_a_deal_that_is_not_played_in_every_order_does_not_count() -> None:
    settings = Settings("dice", (FIRST, "random"), games=6).checked()
    outcomes = {outcome.fixture: outcome for outcome in played(settings)[:5]}
    results = summary(settings, outcomes, [])
    assert (results["games"], results["unfinished"]) == (4, 2)


def test_bots_get_nothing_but_a_view() -> None:
    settings = Settings("cards", ("tests.arena.bots:Peeks", FIRST), games=2).checked()
    assert [outcome.fault for outcome in played(settings)] == [None, None]
