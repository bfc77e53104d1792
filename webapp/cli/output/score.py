"""A scored deal as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scorer import Deal, DealResult, Line, PlayerResult
from scorer.deal import ChangeValue
from scorer.english.sources import cited
from scorer.explain.how_won import claimed_meld, how_won
from scorer.melds import ReadMeld
from scorer.messages import say
from scorer.result import Part
from scorer.rules.rulebook import load_ruleset
from scorer.tiles import NAMES, SEAT_NAMES, format_tiles

_TEXT_WIDTH = 58
"""Characters of the column of the rules' texts."""

_WIDTH = 72
"""Column at which the calculation of a total ends."""


def score_table(deal: Deal, result: DealResult) -> str:
    """The whole deal: each player's score line by line, then who pays whom, and for what."""
    lines = [_scored_by(result.ruleset)]
    if result.changes:
        lines.append(f"House rules: {_settings(result.changes)}")
    lines += [f"{SEAT_NAMES[deal.round_wind]} round.", *_played(deal)]
    for player in result.players:
        lines += ["", *_player(deal, player)]
    lines += ["", "Payments", *_payments(result, deal.dealer), "", "Gains and losses"]
    lines += [f"  {SEAT_NAMES[seat]:<6}{gain:>+8}" for seat, gain in result.net.items()]
    return "\n".join(lines)


def hand_table(deal: Deal, player: PlayerResult) -> str:
    """One player's score line by line."""
    return "\n".join([_scored_by(deal.ruleset), *_player(deal, player)])


def _scored_by(ruleset: str) -> str:
    """The line that names the ruleset, with the changes of a club's own to its base."""
    found = load_ruleset(ruleset)
    if not found.changes:
        return f"Scored by {ruleset}"
    return f"Scored by {ruleset}, which is {found.base} with {_settings(found.changes)}"


def _settings(changes: Mapping[str, ChangeValue]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in changes.items())


def _value(value: ChangeValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _played(deal: Deal) -> Iterator[str]:
    """A goulash, and how the hand was won."""
    goulash = load_ruleset(deal.ruleset, deal.changes).goulash
    if deal.goulash and goulash is not None:
        yield _sentence(str(say("played_as_goulash", wild=goulash.wild)))
    yield _sentence("; ".join(map(str, how_won(deal))))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _player(deal: Deal, player: PlayerResult) -> Iterator[str]:
    yield f"{SEAT_NAMES[player.seat]}: {_title(player)}"
    by_claim = claimed_meld(deal, player)
    goulash = load_ruleset(deal.ruleset, deal.changes).goulash
    joker = "" if goulash is None else NAMES[goulash.wild]
    for group in player.laid_out():
        yield f"  {_meld(group, by_claim=group is by_claim)}{_jokers(group, joker)}"
    yield from _in_fan(deal, player)
    points = [line for line in player.lines if line.points is not None]
    doubles = [line for line in player.lines if line.doubles is not None]
    yield from _column("points", points, player.points)
    counted = load_ruleset(deal.ruleset, deal.changes).counted(player.points)
    if counted is not None and player.hand == "ordinary":
        yield f"  {counted:>{_WIDTH}}"
    if doubles:
        yield from _column("doubles", doubles, player.doubles)
        yield f"  {_sum(player):>{_WIDTH}}"


def _in_fan(deal: Deal, player: PlayerResult) -> Iterator[str]:
    """The lines of a hand that is counted in fan, with fu and limits where it has them."""
    value, counted = load_ruleset(deal.ruleset, deal.changes).value, player.counted
    if value is None or counted is None:
        return
    units = (("fan", value.unit), ("fu", "fu"), ("limits", "limits"))
    for unit, name in units:
        lines = [line for line in player.lines if getattr(line, unit) is not None]
        yield from _column(name, lines, getattr(counted, unit))


def _title(player: PlayerResult) -> str:
    kinds = {"ordinary": "", "none": " (no score)", "claimed": " (total as claimed)"}
    if player.hand in kinds:
        return f"{player.total}{kinds[player.hand]}"
    fishing, _, name = player.hand.rpartition(":")
    hand = name.replace("_", " ")
    return f"{player.total} ({'fishing for ' if fishing else ''}{hand})"


def _sum(player: PlayerResult) -> str:
    factor = 1 << player.doubles
    exact = player.points * factor
    counted = f"{player.points} x {factor} = {exact}"
    return counted if exact == player.total else f"{counted}, that is {player.total}"


def _meld(group: ReadMeld, *, by_claim: bool = False) -> str:
    """A meld in words; ``by_claim`` if it is exposed only because its last tile was claimed."""
    if group.kind in ("singles", "knitted_pair", "knitted_set"):
        return format_tiles(group.tiles)
    how = "" if group.kind == "pair" else ", concealed" if group.concealed else ", exposed"
    if by_claim:
        how = f", {say('claim_exposed')}"
    if group.kind == "chow":
        return f"Chow {format_tiles(group.tiles)}{how}"
    return f"{group.kind.capitalize()} of {NAMES[group.tile]}{how}"


def _jokers(group: ReadMeld, joker: str) -> str:
    """Which tiles of a meld are jokers, and what each stands for."""
    told = (f", {joker} as {NAMES[group.tiles[place]]}" for place in group.jokers)
    return "".join(told)


def _column(unit: str, lines: list[Line], total: int) -> Iterator[str]:
    """The lines of one unit with their worths in a column, and their sum."""
    if not lines:
        return
    yield f"  {unit.capitalize()}"
    for line in lines:
        worth = line.worth[1]
        cite = f" [{cited(line.cite)}]" if line.cite else ""
        yield f"  {worth:>8}  {line.text:<{_TEXT_WIDTH}}{cite}".rstrip()
    if len(lines) > 1:
        yield f"  {total:>8}  in all"


def _payments(result: DealResult, dealer: str) -> list[str]:
    lines: list[str] = []
    for payment in result.payments:
        payer, receiver = SEAT_NAMES[payment.from_seat], SEAT_NAMES[payment.to_seat]
        lines.append(f"  {payer} pays {receiver} {payment.amount}")
        lines += [_cause(part, dealer) for part in payment.parts]
    return lines or ["  Nobody pays."]


def _cause(part: Part, dealer: str) -> str:
    """One cause of a payment, with the dealer's double written out."""
    words = str(part.words)
    if part.factor > 1:
        words = f"{words}: {part.amount // part.factor} x {part.factor} for {SEAT_NAMES[dealer]}"
    return f"  {part.amount:>8}  {words:<{_TEXT_WIDTH}} [{cited(part.cite)}]"
