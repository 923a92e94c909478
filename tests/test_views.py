"""A view shows what a seat may know and nothing more, and a guess from it is a game that looks the same."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.json import decode, encode

from sixfold import Game, Seeded, View
from sixfold.engine import record
from sixfold.games.cards import rules as card_rules
from sixfold.games.shared.symbols import NONE, insert, remove
from sixfold.games.travel import rules as travel_rules
from sixfold.table import position_writer
from sixfold.table.positions import encode_position, value, view_of
from tests.clauses import clause
from tests.positions import cards, discarded, face_up, hand, in_bag, in_pile, rack, travel
from tests.tables import TABLES, Table, at_every_table, play_on, random_game


def along(table: Table, seed: int, every: int) -> Iterator[Game]:
    """The game after every so many events, chance's included, as a record is replayed."""
    for number, (_, game, _) in enumerate(record.steps(record.of(random_game(table, seed)))):
        if number % every == 0:
            yield game


def seats(table: Table) -> list[int | None]:
    return [None, *range(table.players)]


@at_every_table
def test_a_guess_looks_the_same_from_the_same_seat(table: Table) -> None:
    for game in along(table, 1, every=4):
        for seat in seats(table):
            view = game.view(seat)
            for number in range(3):
                guess = view.guess(Seeded(30, number))
                assert guess.view(seat) == view
                assert (guess.turn, guess.values, guess.options) == (view.turn, game.values, game.options)
                assert "??" not in str(guess)


@at_every_table
def test_a_position_is_read_as_it_was_written(table: Table) -> None:
    for game in along(table, 8, every=1):
        for seat in seats(table):
            view = game.view(seat)
            written = encode_position(game.rules, view.states, seat)
            shown = decode(written)
            assert encode(shown) == bytes(written)
            assert value(view_of(shown)) == shown
            assert (shown["values"], shown["options"], shown["seen_by"]) == (view.values, view.options, seat)


def test_a_long_position_finds_room(monkeypatch: pytest.MonkeyPatch) -> None:
    game = random_game(TABLES[0], 8, decisions=5)
    shown = bytes(encode_position(game.rules, game.seen_by(0), 0))
    for room in (1, len(shown) - 1, len(shown)):
        monkeypatch.setattr(position_writer, "MOST_BYTES", room)
        assert bytes(encode_position(game.rules, game.seen_by(0), 0)) == shown


@at_every_table
def test_a_guess_can_be_played_to_the_end(table: Table) -> None:
    for game in along(table, 2, every=9):
        for seat in seats(table):
            chance = Seeded(31)
            guess = game.view(seat).guess(chance)
            guess.resolve_chance()
            play_on(guess, chance)
            assert guess.over


@at_every_table
def test_what_is_hidden_varies_and_what_is_open_does_not(table: Table) -> None:
    game = random_game(table, 3, decisions=4)
    for seat in seats(table):
        view = game.view(seat)
        guesses = {view.guess(Seeded(32, number)) for number in range(12)}
        assert (len(guesses) > 6) == ("??" in str(view))


@at_every_table
def test_the_player_in_turn_finds_all_moves_in_the_view(table: Table) -> None:
    for decisions in range(0, 12, 3):
        game = random_game(table, 4, decisions)
        assert list(game.view(game.turn).legal()) == list(game.legal())
        assert game.view(game.turn).choices() == game.choices()


@at_every_table
def test_looking_changes_nothing(table: Table) -> None:
    game = random_game(table, 5, decisions=5)
    before = game.copy()
    view = game.view(0)
    view.guess(Seeded(1))
    assert game == before
    assert view == before.view(0)
    assert isinstance(view, View)
    assert not hasattr(view, "play")
    assert not hasattr(view, "events")


# Where each game keeps what is hidden, how much of it a player has, and where the rest of it lies.
HIDDEN = {"travel": ("rack", "rack_size", "bag"), "cards": ("hand", "hand_size", "pile")}
OPEN = Table("travel", 2, {"open_racks": True})


def hidden_items(game: Game, seat: int | None, size: str) -> list[tuple[int, int]]:
    """Where the others' hidden tiles or cards lie."""
    return [(player, at) for player in range(game.players) if player != seat for at in range(game.state[size][player])]


@pytest.mark.parametrize("table", [table for table in TABLES if table.game in HIDDEN and table != OPEN], ids=str)
def test_a_view_does_not_change_when_only_hidden_things_do(table: Table) -> None:
    """Exchange a hidden tile or card with one of the bag or pile, or of another hidden hand, without ``guess``."""
    held, size, store = HIDDEN[table.game]
    rng = np.random.default_rng(33)
    changed = 0
    for seed in range(4):
        game = random_game(table, seed, decisions=7)
        for seat in seats(table):
            other = game.copy()
            places = hidden_items(other, seat, size)
            player, at = places[rng.integers(len(places))]
            instead = int(rng.choice(np.flatnonzero(other.state[store])))
            other.state[store][other.state[held][player, at]] += 1
            other.state[store][instead] -= 1
            other.state[held][player, at] = instead
            number = other.state[size][player]
            other.state[held][player, :number].sort()
            changed += other != game
            assert other.view(seat) == game.view(seat)
            assert str(other.view(seat)) == str(game.view(seat))
            if player != seat:
                assert other == game or other.view(player) != game.view(player)
    assert changed > 5


PRIVATE = [table for table in TABLES if table.rules.CHOICES]


@clause("T16", "C13")
@pytest.mark.parametrize("table", PRIVATE, ids=str)
def test_nobody_else_can_tell_an_open_choice_from_one_that_was_declined(table: Table) -> None:
    found = 0
    for seed in range(40):
        chance = Seeded(40, seed)
        game = table.start(chance)
        while not game.over:
            if game.state.phase == table.rules.CHOOSE:
                found += 1
                declined = game.copy()
                declined.chance = None
                declined.play(table.rules.CHOICES[0])
                for seat in seats(table):
                    assert (game.view(seat) == declined.view(seat)) == (seat != game.turn)
                    assert seat == game.turn or game.view(seat).turn is None
                    assert seat == game.turn or game.masked_event(declined.events[-1], seat) is None
                assert game.masked_event(declined.events[-1], game.turn) == declined.events[-1]
            play_on(game, chance, 1)
    assert found > 0


@clause("T16")
@pytest.mark.parametrize("seat", [1, None])
def test_whether_a_swap_was_possible_cannot_be_seen(seat: int | None) -> None:
    """Blue and orange are lowest: red and green tiles could be swapped, a rack with blue could not."""
    scores = ("5 5 0 0 3 3", "0 0 0 0 0 0")
    with_choice = travel(rack="RR RG GG", scores=scores, bag="BB BO OO RO GB RY")
    without = travel(rack="RR BB BO", scores=scores, bag="RG GG OO RO GB RY")
    for game in (with_choice, without):
        game.play("place RR f5 f6")
    assert (with_choice.turn, without.turn) == (0, None)
    assert with_choice.view(seat) == without.view(seat)
    assert str(with_choice.view(seat)) == str(without.view(seat))
    racks = Counter(rack(with_choice.view(seat).guess(Seeded(34, number)), 0) for number in range(400))
    assert racks["RG GG"] > 0
    assert any("B" in held for held in racks)


@clause("C13")
@pytest.mark.parametrize("seat", [1, 2, None])
def test_whether_a_hand_could_be_renewed_cannot_be_seen(seat: int | None) -> None:
    """Purple is lowest. The card nearest the middle is discarded for the others, as at the end of every turn."""
    with_choice = cards(["RG", "RB", "OP"], hand="RG RB RO", chips=["5 5 5 5 5 4"])
    without = with_choice.copy()
    for mine, other in (("RB", "OP"), ("RO", "YP")):
        given, taken = card_rules.ITEMS.index(mine), card_rules.ITEMS.index(other)
        remove(without.state.hand[0], given)
        insert(without.state.hand[0], taken)
        without.state.pile[given] += 1
        without.state.pile[taken] -= 1
    for game in (with_choice, without):
        game.play("play RG")
    assert (with_choice.turn, without.turn) == (0, None)
    assert with_choice.view(seat) == without.view(seat)
    assert face_up(with_choice.view(seat).guess(Seeded(1)), 0) == "RG"
    hands = {hand(with_choice.view(seat).guess(Seeded(35, number)), 0) for number in range(60)}
    assert len(hands) > 5
    assert any("P" in held for held in hands)


@clause("C5", "C13")
def test_a_renewed_hand_is_known_to_everybody() -> None:
    game = cards(["RG", "RB", "OP"], hand="RG RB RO", chips=["5 5 5 5 5 4"])
    game.play("play RG")
    game.play("renew")
    assert discarded(game) == Counter(["RG", "RB", "RO"])
    for seat in (None, 0, 1, 2):
        view = game.view(seat)
        assert view.as_dict()["discards"] == game.as_dict()["discards"]
        assert game.masked_event(game.events[-1], seat) == "0 renew"
        for number in range(20):
            guess = view.guess(Seeded(39, number))
            held = Counter(f"{hand(guess, 0)} {hand(guess, 1)} {hand(guess, 2)}".split())
            # Four of each: one lies in front of its player, or was in front, and one is among the discards.
            assert all((held + in_pile(guess))[card] <= 3 for card in ("RG", "RB", "RO"))


@clause("T16")
@pytest.mark.parametrize("seat", [1, None])
def test_a_swap_is_seen_and_says_what_the_old_rack_was_not(seat: int | None) -> None:
    game = travel(rack="RR RG GG", scores=("5 5 0 0 3 3", "0 0 0 0 0 0"))
    game.play("place RR f5 f6")
    game.play("swap")
    assert game.masked_event("0 swap", seat) == "0 swap"
    for number in range(30):
        aside = game.view(seat).guess(Seeded(41, number)).state.aside
        names = [travel_rules.ITEMS[tile] for tile in aside if tile != NONE]
        assert len(names) == 2
        assert not any(letter in name for name in names for letter in "BO")


@clause("T4", "T16")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_guess_between_swap_and_draw_keeps_all_tiles(seat: int | None) -> None:
    game = travel(rack="RR RG RG RG GG GG", scores=("5 5 0 0 3 3", "0 0 0 0 0 0"))
    before = Counter(rack(game, 0).split()) + Counter(rack(game, 1).split()) + in_bag(game)
    game.play("place RR f5 f6")
    game.play("swap")
    view = game.view(seat)
    for number in range(20):
        chance = Seeded(36, number)
        guess = view.guess(chance)
        assert guess.view(seat) == view
        assert NONE not in guess.state.aside[: guess.state.aside_size]
        guess.resolve_chance()
        after = Counter(rack(guess, 0).split()) + Counter(rack(guess, 1).split()) + in_bag(guess)
        assert after.total() == before.total() - 1
        assert all(number >= 0 for number in guess.state.bag)
        assert after == before - Counter(["RR"])


@clause("T4")
def test_every_hidden_tile_is_as_likely_as_its_share() -> None:
    game = travel(rack="OO", other="RR", bag="GG GG BB")
    found = Counter(rack(game.view(0).guess(Seeded(37, number)), 1) for number in range(4000))
    assert set(found) == {"RR", "GG", "BB"}
    # A quarter, a half, a quarter; chi-square with two degrees of freedom, beyond 13.8 once in a thousand.
    expected = {"RR": 1000, "GG": 2000, "BB": 1000}
    assert sum((found[tile] - number) ** 2 / number for tile, number in expected.items()) < 13.8


@clause("C3")
def test_the_discards_are_known_and_the_hands_are_not() -> None:
    game = cards(["RG", "RB", "OP"], discards="YP YP YP YP")
    view = game.view(1)
    guesses = [view.guess(Seeded(38, number)) for number in range(20)]
    assert not any("YP" in f"{hand(guess, 0)} {hand(guess, 2)}" for guess in guesses)
    assert all(in_pile(guess).total() == in_pile(game).total() for guess in guesses)
    assert len({hand(guess, 0) for guess in guesses}) > 10
