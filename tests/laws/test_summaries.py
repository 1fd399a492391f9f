"""Every summary adds as sets of rows do."""

from __future__ import annotations

import pytest

from suffice.testing.check import hold
from suffice.testing.summary_laws import LAWS, Law
from tests.laws.subjects import SUBJECTS, Subject


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_law(subject: Subject, law: Law) -> None:
    hold(lambda rows: law(subject.summarize, rows), subject.rows(), f"{subject.name} {law.__name__}")
