"""Train on a clinic's table, see what was learned, merge two clinics, forget a patient, decide.

Run it by `.venv/bin/python examples/clinic.py`; `make train` does the same from a file, at the command line.
"""

from __future__ import annotations

import numpy as np

from suffice import NaiveBayes
from suffice.datasets import make_clinic

KINDS = {"patient": "identifier", "notes": "text", "severity": ["mild", "moderate", "severe"]}


def main() -> None:
    """The whole story, from rows to decisions."""
    clinic, later = make_clinic(20_000, random_state=0), make_clinic(5_000, random_state=1)
    table, target = clinic.frame("pandas"), clinic.target
    model = NaiveBayes(kinds=KINDS, refusal="ask a doctor").fit(table, target)
    print("What the columns are\n" + str(model.schema_))
    print("\nWhat was learned\n" + str(model))

    new = later.frame("pandas")
    risk, best = later.risk(model.predict(new)), later.bayes_risk()
    print(f"\nExpected error on 5,000 new patients: {risk:.4f}; of the best possible rule: {best:.4f}")

    north, south = (
        NaiveBayes(kinds=KINDS).fit(table[half], target[half]) for half in (slice(9_000), slice(9_000, None))
    )
    gap = np.abs((north + south).predict_proba(new) - model.predict_proba(new)).max()
    print(f"\nTwo clinics merged differ from all rows together by at most {gap:.1e}")

    without = NaiveBayes(kinds=KINDS).fit(table[1:], target[1:])
    model.forget(table[:1], target[:1])
    gap = np.abs(model.predict_proba(new) - without.predict_proba(new)).max()
    print(f"After forgetting the first patient the model differs from one that never saw it by at most {gap:.1e}")

    print("\nWhy the first new patient is what we say\n" + str(model.explain(new[:1])))
    costs = {
        "pneumonia": {"cold": 20.0, "flu": 10.0},
        "cold": {"flu": 1, "pneumonia": 2},
        "flu": {"cold": 1, "pneumonia": 2},
    }
    print("\nDecisions for five patients")
    wave = {"cold": 0.2, "flu": 0.7, "pneumonia": 0.1}
    for what, options in (
        ("most probable", {}),
        ("a missed pneumonia costs 20", {"costs": costs}),
        ("a refusal costs 0.2", {"reject": 0.2}),
        ("in a flu wave", {"prior": wave}),
    ):
        print(f"  {what:28}", ", ".join(map(str, model.predict(new[:5], **options))))


if __name__ == "__main__":
    main()
