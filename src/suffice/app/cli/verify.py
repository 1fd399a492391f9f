"""Verifying receipts: a chain of forgettings that ends in a model."""

from __future__ import annotations

from collections.abc import Sequence

from suffice.app.cli.forget import told
from suffice.app.cli.model_files import read_model
from suffice.app.report.output import check_outputs
from suffice.app.report.report import CommandReport, Section
from suffice.core.errors import Said, bad
from suffice.estimators.ledger.receipt import BY_LEDGER, Receipt, verify_chain

LONGEST = 65_536  # bytes of a receipt


def verify(path: str, paths: Sequence[str]) -> CommandReport:
    """The receipts in the order in which rows were forgotten; raises where they do not lead to the model."""
    check_outputs(None, [path, *paths])
    model = read_model(path)
    named = {receipt: name for name in paths for receipt in [_read(name)]}
    if len(named) < len(paths):
        raise bad("verify", "the receipts", "all different", Said("one twice"), "Name each once.")
    chain = verify_chain(model.fitted, list(named))
    rows = [(named[one], one.rows, "ledger" if one.verified == BY_LEDGER else "plausibility") for one in chain]
    weakest = next((one.verified for one in chain if one.verified != BY_LEDGER), BY_LEDGER)
    facts = {"model": path, "forgotten": sum(one.rows for one in chain), "verified_by": told(weakest)}
    return CommandReport(facts, [Section("receipts", ("receipt", "rows", "verified by"), rows)])


def _read(path: str) -> Receipt:
    with open(path, "rb") as file:
        data = file.read(LONGEST + 1)
    return Receipt.from_json(data[:LONGEST], f"{path!r}")
