"""Receipts: what was forgotten, from which model, and which model is left; and chains of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from typing import Any

from suffice.core.errors import BadFile, BadInput, Said, bad, refusal
from suffice.core.registry import saved
from suffice.persistence.dismantle import dismantle
from suffice.persistence.strict_json import parse

BY_LEDGER, PLAUSIBLE = "ledger", "plausible"
FORM = "suffice receipt 1"


@saved
@dataclass(frozen=True)
class Receipt:
    """Says that some rows were forgotten. It is no signature: who can write files can write one.

    >>> Receipt.from_json(Receipt(3, "00", "11", "plausible").to_json()).rows
    3
    """

    rows: int  # how many were forgotten
    before: str  # digest of the model before
    after: str  # digest of the model that is left
    verified: str  # "ledger": each row was in it; "plausible": what was kept of the rows does not speak against them
    taken: str | None = None  # sum of the digests of the rows
    ledger_before: str | None = None  # sum of the digests of all rows of the ledger
    ledger_after: str | None = None
    key: str | None = None  # tells keys apart without telling them

    def __post_init__(self) -> None:
        """Refuse what is no receipt."""
        whole = isinstance(self.rows, int) and not isinstance(self.rows, bool) and self.rows >= 0
        if not whole or self.verified not in (BY_LEDGER, PLAUSIBLE):
            raise BadFile("its rows are no number, or nobody says how they were verified")
        needed: list[str | None] = [self.before, self.after]
        optional = [self.taken, self.ledger_before, self.ledger_after, self.key]
        if self.verified == BY_LEDGER:
            needed += optional
        if not all(map(_is_hex, needed)) or not all(value is None or _is_hex(value) for value in optional):
            raise BadFile("its digests are none")

    @property
    def adds_up(self) -> bool:
        """Whether the ledger before, without the rows taken, is the ledger after."""
        if self.verified != BY_LEDGER:
            return True
        before, taken, after = map(_two, (self.ledger_before, self.taken, self.ledger_after))
        return all((b - t - a) % 2**64 == 0 for b, t, a in zip(before, taken, after, strict=True))

    def to_json(self) -> str:
        """As text."""
        return json.dumps({"form": FORM, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes, name: str = "the receipt") -> Receipt:
        """From the text of `to_json`."""
        try:
            told = parse(text, "text")
            if not isinstance(told, Mapping) or told.get("form") != FORM:
                raise BadFile("it does not say that it is one")
            known = {each.name for each in fields(cls)}
            return cls(**{key: value for key, value in told.items() if key in known})
        except (BadFile, TypeError) as error:
            raise refusal(
                BadFile, "verify", name, "a receipt of forget", Said(f"{error}"), "Write it again.", joint="but"
            ) from None


def receipt_of(before: Any, after: Any, rows: int, taken: Any = None) -> Receipt:
    """The receipt of two fitted values and the ledger of the rows between them."""
    if taken is None:
        return Receipt(rows, state_digest(before), state_digest(after), PLAUSIBLE)
    return Receipt(
        rows,
        state_digest(before),
        state_digest(after),
        BY_LEDGER,
        taken.total,
        before.ledger.total,
        after.ledger.total,
        taken.mark,
    )


def state_digest(fitted: Any) -> str:
    """The digest of what was learned: columns, summary, and ledger, where there is one."""
    tree, arrays = dismantle((fitted.schema, fitted.state, fitted.declared))
    found = blake2b(tree.encode(), digest_size=16, person=b"suffice model")
    for name, array in arrays.items():
        found.update(f"{name} {array.dtype.str} {array.shape}".encode())
        found.update(array.astype(array.dtype.newbyteorder("<"), order="C", copy=False).tobytes())
    if fitted.ledger is not None:
        found.update(f"{fitted.ledger.mark} {len(fitted.ledger)} {fitted.ledger.total}".encode())
    return found.hexdigest()


def forgets(fitted: Any) -> Any:
    """The fitted value whose rows are forgotten: of a model around another, that of the one inside."""
    held: Any = getattr(getattr(fitted.state, "model", None), "helds", ())
    inner = held[0].bare if len(held) == 1 else None
    fitted_inside = getattr(inner, "fitted", getattr(inner, "fitted_", None))  # of a file, of an estimator
    return fitted if fitted_inside is None else forgets(fitted_inside)


def verify_chain(fitted: Any, receipts: Sequence[Receipt]) -> tuple[Receipt, ...]:
    """Receipts in the order in which rows were forgotten, the last of which left this model; refuses any that is not.

    Parameters
    ----------
    fitted : the fitted value of the model
    receipts : in any order
    """
    for place, receipt in enumerate(receipts):
        if not receipt.adds_up:
            raise _broken(f"receipt {place + 1}, whose ledger before is not the rows taken and the ledger after")
    left = {receipt.after: receipt for receipt in receipts}
    if len(left) < len(receipts):
        raise _broken("two receipts that left the same model")
    chain: list[Receipt] = []
    fitted = forgets(fitted)
    at = state_digest(fitted)
    while at in left:
        chain.append(left.pop(at))
        at = chain[-1].before
    if left:
        where = "none that left this model" if not chain else "one that neither this model nor another receipt follows"
        raise _broken(where)
    marks = {receipt.key for receipt in chain if receipt.key is not None}
    if fitted.ledger is not None and marks - {fitted.ledger.mark}:
        raise _broken("one that was made under another key")
    return tuple(reversed(chain))


def _broken(got: str) -> BadInput:
    return bad("verify", "the receipts", "a chain that ends in the model", Said(got), "Check that all are there.")


def _is_hex(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 64 and not value.strip("0123456789abcdef")


def _two(total: str | None) -> tuple[int, int]:
    number = int(total or "0", 16)
    return number >> 64, number % 2**64
