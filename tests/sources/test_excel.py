"""Excel workbooks: found by their first bytes, read by openpyxl, one sentence where it is not installed."""

from __future__ import annotations

import datetime
import io
import sys
import types
import zipfile
from importlib.machinery import ModuleSpec
from typing import Any

import pytest

from suffice.core.errors import BadInput
from suffice.core.kinds import Kind
from suffice.sources import Format, open_rows
from suffice.sources.files import excel_files
from tests.sources.read_cells import all_cells

SHEET = [
    ("age", "born", "ill", None, "site"),
    (None,) * 5,
    (31, datetime.datetime(1970, 1, 2), True, 1.5, "A"),
    (44, datetime.datetime(1970, 1, 2, 12), False, None, "#N/A"),
    (25,),
]


class Sheet:
    def __init__(self, rows: list[tuple[Any, ...]]) -> None:
        self.rows = rows

    def reset_dimensions(self) -> None:
        pass

    def iter_rows(self, values_only: bool) -> Any:
        assert values_only
        return iter(self.rows)


def installed(monkeypatch: pytest.MonkeyPatch, *sheets: Any) -> None:
    """What openpyxl gives for a workbook, so that reading is tested where it is not installed, too."""
    reader = types.ModuleType("openpyxl")
    reader.__spec__ = ModuleSpec("openpyxl", None)

    def load_workbook(file: Any, read_only: bool, data_only: bool) -> Any:
        assert file.read(2) == b"PK"
        return types.SimpleNamespace(worksheets=[Sheet(rows) for rows in sheets])

    reader.load_workbook = load_workbook  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "openpyxl", reader)


def workbook() -> io.BytesIO:
    """The outside of one."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("[Content_Types].xml", "")
        archive.writestr("xl/workbook.xml", "")
    file.seek(0)
    return file


def test_the_first_sheet_is_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, SHEET, SHEET[:1])
    for decimal in ".,":
        rows = open_rows(workbook(), format=Format(decimal=decimal))
        assert all_cells(rows) == {
            "age": [31, 44, 25],
            "born": [1.0, 1.5, None],
            "ill": [True, False, None],
            "column_4": [1.5, None, None],
            "site": ["A", None, None],
        }
        assert rows.schema.columns[1].kind is Kind.DATE
        assert any("of 2 sheets the first is read" in note for note in rows.report.notes)


def test_a_sheet_in_pages_and_without_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel_files, "ROWS", 2)
    installed(monkeypatch, [(i, "ab"[i % 2]) for i in range(5)])
    found = all_cells(open_rows(workbook(), format=Format(header=False)))
    assert found == {"x0": [0, 1, 2, 3, 4], "x1": ["a", "b", "a", "b", "a"]}


def test_what_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, [])
    with pytest.raises(BadInput, match="must hold a header and rows, got an empty sheet"):
        all_cells(open_rows(workbook()))
    installed(monkeypatch)  # without a sheet
    with pytest.raises(BadInput, match="the Excel workbook must be whole"):
        all_cells(open_rows(workbook()))
    monkeypatch.setattr(excel_files, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"got an Excel workbook\. Install suffice\[excel\]\."):
        all_cells(open_rows(workbook()))
