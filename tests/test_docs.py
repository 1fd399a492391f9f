"""Every Python example of the README and the guide runs, page by page, in order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for example in EXAMPLE.findall(page.read_text(encoding="utf-8")):
        exec(compile(example, page.name, "exec"), names)


def test_the_readme_decides_row_by_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it says its patients are answered is what they are, and they are not all answered alike."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    text = PAGES[0].read_text(encoding="utf-8")
    example = next(one for one in EXAMPLE.findall(text) if "answers = " in one)
    exec(compile(example, "README.md", "exec"), names)
    answers = names["answers"]
    assert f"print(answers)  # {answers}" in text
    assert len(set(answers.tolist())) == 3


def test_the_guide_names_everything_of_features() -> None:
    from suffice import features

    names = ("features.md", "feature_parts.md", "feature_selection.md")
    text = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in names)
    assert [name for name in features.__all__ if not re.search(rf"\b{name}\b", text)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
