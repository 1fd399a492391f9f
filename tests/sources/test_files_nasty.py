"""Files as the world writes them: each is read as documented, by either engine, cut into blocks of any size."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from suffice import NaiveBayes
from suffice.core.errors import BadInput
from suffice.core.kinds import Kind
from suffice.sources.files.read_report import Report
from suffice.sources.files.roles import Roles
from suffice.sources.files.rows import open_rows
from suffice.sources.files.text_format import Format
from tests.sources.read_cells import all_cells

Read = Callable[..., tuple[dict[str, list[Any]], Report]]


@pytest.fixture(params=["csv", "pyarrow"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[7, 1 << 22], ids=["small blocks", "one block"])
def read(request: pytest.FixtureRequest, engine: str, tmp_path: Path) -> Read:
    """Write a file, read it, and say what was met."""

    def reading(data: bytes | str, roles: Roles | None = None, kinds: Any = None, **options: Any) -> Any:
        path = tmp_path / "nasty.csv"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        format = Format(**{"block": request.param, "limit": 0.5, **options})
        rows = open_rows(path, roles, kinds, format, engine=engine)
        return all_cells(rows), rows.report

    return reading


@pytest.mark.parametrize("block", [1 << 17, 1 << 22])
def test_late_drift(block: int, engine: str, tmp_path: Path) -> None:
    """Whole numbers for 300,000 rows, then 3.5, n/a and xyz: one missing, one bad, and the kind joins."""
    path = tmp_path / "drift.csv"
    lines = ["count,other", *(f"{i},{i % 7}" for i in range(300_000)), "3.5,1", "n/a,1", "xyz,1", "4,1"]
    path.write_text("\n".join(lines))
    rows = open_rows(path, format=Format(block=block), engine=engine)
    kinds = [chunk.schema.columns[0].kind for chunk in rows.chunks()]
    assert kinds[-1] is Kind.QUANTITATIVE
    assert kinds[0] is (Kind.COUNT if block < 1 << 20 else Kind.QUANTITATIVE)
    column = rows.report.column("count")
    assert (column.kind, column.missing, column.bad) == (Kind.QUANTITATIVE, 1, 1)
    assert (column.first_bad, column.text) == (300_002, "xyz")
    assert rows.report.column("other").kind is Kind.COUNT
    assert rows.report.rows == 300_004
    assert "xyz" in str(rows.report)


@pytest.mark.parametrize("block", [100, 1 << 22])
def test_a_stray_word_changes_nothing_wherever_it_stands(block: int, engine: str, tmp_path: Path) -> None:
    for place in (0, 150, 299):
        numbers = [str(i) for i in range(300)]
        numbers[place] = "oops"
        path = tmp_path / f"{place}.csv"
        path.write_text("x,y\n" + "".join(f"{x},{i}\n" for i, x in enumerate(numbers)))
        if block == 100 and place == 0:
            continue  # a first block of four rows cannot know better: one cell in four is no stray one
        rows = open_rows(path, format=Format(block=block), engine=engine)
        values = all_cells(rows)["x"]
        assert [v for i, v in enumerate(values) if i != place] == [float(i) for i in range(300) if i != place]
        assert values[place] is None
        assert (rows.report.column("x").bad, rows.report.column("x").first_bad) == (1, place)


def test_kinds_by_written_form(read: Read) -> None:
    text = (
        "a,b,c,d,e,f\n1,1.5,yes,2020-01-31,x1,NA\n2,-2,No,2020-02-01T12:00,2,\n+3,1e3,TRUE,1969-12-31 00:00:00Z,3,?\n"
    )
    found, report = read(text)
    assert found["a"] == [1.0, 2.0, 3.0]
    assert found["b"] == [1.5, -2.0, 1000.0]
    assert found["c"] == [True, False, True]
    assert found["d"] == [18292.0, 18293.5, -1.0]
    assert found["e"] == ["x1", "2", "3"]
    assert found["f"] == [None, None, None]
    kinds = {column.name: column.kind for column in report.columns}
    assert kinds["a"] is Kind.QUANTITATIVE  # "+3" is no digit string
    assert kinds["f"] is Kind.UNKNOWN
    assert [kinds[name] for name in "bcde"] == [Kind.QUANTITATIVE, Kind.BOOLEAN, Kind.DATE, Kind.CATEGORICAL]


def test_symbols_stay_as_written(read: Read) -> None:
    """What is known as symbols keeps its text, numbers and truth values included."""
    found, report = read("site\nnorth\nnorth\nnorth\n007\n3.50\nyes\n2020-01-01\n")
    assert found["site"] == ["north", "north", "north", "007", "3.50", "yes", "2020-01-01"]
    assert report.column("site").bad == 0


def test_numbers_stay_numbers(read: Read) -> None:
    found, report = read("x\n" + "1\n" * 1000 + "many\n1_000\n0x1F\ninf\n1e999\n-.5e1\n 7 \n٣\n")
    assert found["x"][1000:] == [None, None, None, None, None, -5.0, 7.0, None]
    assert (report.column("x").bad, report.column("x").first_bad, report.column("x").text) == (6, 1000, "many")


def test_truth_stays_truth(read: Read) -> None:
    found, report = read("x\n" + "yes\nno\n" * 500 + "maybe\n1\nYES\n")
    assert found["x"][1000:] == [None, None, True]
    assert report.column("x").bad == 2


def test_unknown_becomes_what_comes(read: Read) -> None:
    found, report = read("a,b\n" + "1,\n" * 30 + "1,2.5\n1,NA\n")
    assert found["b"] == [None] * 30 + [2.5, None]
    assert report.column("b").kind is Kind.QUANTITATIVE
    assert report.column("b").missing == 31


def test_declared_kinds(read: Read) -> None:
    kinds = {
        "code": "categorical",
        "flag": "boolean",
        "pain": ["none", "mild", "severe"],
        "level": [1, 2, 3],
        "id": "identifier",
    }
    text = "code,flag,pain,level,id\n01,1,mild,1,a\n1,0,none,2.0,b\n2,t,terrible,3,c\nNA,N,severe,9,d\n"
    found, report = read(text, kinds=kinds)
    assert found["code"] == ["01", "1", "2", None]
    assert found["flag"] == [True, False, True, False]
    assert found["pain"] == ["mild", "none", None, "severe"]
    assert found["level"] == [1, 2, 3, None]
    assert (report.column("pain").text, report.column("level").text) == ("terrible", "9")
    assert report.column("id").kind is Kind.IDENTIFIER
    assert "id" in found  # in the table, but never in a block
    assert found["id"] == [None] * 4


def test_missing_tokens(read: Read) -> None:
    found, report = read(
        "x,y\n1,a\nNA,N/A\n -, null \n?,None\nNaN,NULL\nnan,n/a\n", kinds={"x": "count", "y": "categorical"}
    )
    assert found == {"x": [1.0] + [None] * 5, "y": ["a"] + [None] * 5}
    assert report.column("x").missing == 5
    assert report.column("x").bad == 0


def test_other_missing_tokens(read: Read) -> None:
    found, _ = read("x,y\n1,NA\n-9,b\n 999 ,-9\n", missing=("-9", "999"), kinds={"y": "categorical"})
    assert found == {"x": [1.0, None, None], "y": ["NA", "b", None]}


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-le", "utf-32", "shift_jis"]
)
def test_encodings(encoding: str, read: Read) -> None:
    word = "日本" if encoding == "shift_jis" else "Zürich"
    found, _ = read(f"ort,n\n{word},1\nBern,2\n".encode(encoding), encoding=encoding)
    assert found["ort"] == [word, "Bern"]


def test_a_mark_says_the_encoding(read: Read) -> None:
    for encoding in ("utf-16", "utf-32", "utf-8-sig"):
        found, _ = read("ort,n\nZürich,1\n".encode(encoding))
        assert found["ort"] == ["Zürich"]


def test_wrong_encoding_names_the_byte(read: Read) -> None:
    with pytest.raises(BadInput, match=r"must be utf-8, got byte 0xfc at position 14, which is not\. .*cp1252"):
        read("ort,n\nBern,2\nZürich,1\n".encode("latin-1"))


def test_wrong_encoding_after_transcoding(read: Read) -> None:
    with pytest.raises(BadInput, match=r"must be cp1252, got byte 0x81 at position 8"):
        read(b"ort,n\nab\x81,1\n", encoding="cp1252")


def test_utf_16_without_a_mark(read: Read) -> None:
    with pytest.raises(BadInput, match=r"NUL characters .*utf-16-le"):
        read("ort,n\nBern,2\n".encode("utf-16-le"))


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators_are_found(separator: str, read: Read) -> None:
    rows = [["a", "b", "c"], ["1", "x y", "2.5"], ["2", "z", "3.5"]]
    found, _ = read("\n".join(separator.join(row) for row in rows))
    assert found == {"a": [1.0, 2.0], "b": ["x y", "z"], "c": [2.5, 3.5]}


def test_one_column_of_prose(read: Read) -> None:
    found, _ = read("remark\nno, not yet\nwell\nfar, far away\n")
    assert found == {"remark": ["no, not yet", "well", "far, far away"]}
    found, _ = read("say; or do\nno\nwell\n")
    assert found == {"say; or do": ["no", "well"]}


def test_separators_of_uneven_rows(read: Read) -> None:
    found, _ = read("a,b,c\n1,2\n3,4\n5,6,7\n8,9\n")
    assert found == {"a": [1, 3, 5, 8], "b": [2, 4, 6, 9], "c": [None, None, 7, None]}


def test_an_open_text_with_a_mark() -> None:
    assert list(all_cells(open_rows(io.StringIO("\ufeffa,b\n1,2\n")))) == ["a", "b"]


def test_decimal_commas(read: Read) -> None:
    found, _ = read('a;b\n1,5;x\n-2,25e1;y\n1.5;z\n"1.234,5";z\n3;z\n', decimal=",", kinds={"a": "quantitative"})
    assert found["a"] == [1.5, -22.5, None, 1234.5, 3.0]


def test_decimal_commas_are_found(read: Read) -> None:
    found, report = read("a;b\n1,5;x\n2,5;y\n")
    assert found["a"] == [1.5, 2.5]
    assert "column 'a' is read as numbers written 1.234,5" in report.notes


def test_quotes(read: Read) -> None:
    found, _ = read(
        'a,b\n"one, two",1\n"say ""hi""",2\n"line\nend",3\n"",4\n5" pipe,5\n"x"y,6\n', kinds={"a": "categorical"}
    )
    assert found["a"] == ["one, two", 'say "hi"', "line\nend", None, '5" pipe', "xy"]
    assert found["b"] == [1, 2, 3, 4, 5, 6]


def test_other_quotes(read: Read) -> None:
    found, _ = read("a,b\n'x,y',1\nit's,2\n", quote="'")
    assert found["a"] == ["x,y", "it's"]
    found, _ = read('a,b\n"x,1\ny",2\n', quote=None)
    assert found["a"] == ['"x', 'y"']


def test_line_ends(read: Read) -> None:
    for end in ("\n", "\r\n", "\r"):
        found, _ = read(end.join(["a,b", "1,x", "", "2,y", "   ", "3,z"]))
        assert found == {"a": [1, 2, 3], "b": ["x", "y", "z"]}


def test_ragged_rows(read: Read) -> None:
    found, report = read("a,b,c\n1,x,9\n2\n3,y\n4,z,8,7\n5,w,6,,\n6,v,5\n")
    assert found["a"] == [1, 2, 3, None, 5, 6]
    assert found["b"] == ["x", None, "y", None, "w", "v"]
    assert found["c"] == [9, None, None, None, 6, 5]
    assert (report.rows, report.short, report.long, report.first_long) == (6, 2, 1, 3)


def test_too_many_ragged_rows_fail(read: Read) -> None:
    with pytest.raises(
        BadInput, match=r"as many cells as the header, got too many in row 1, the first of 2 such in 3 rows"
    ):
        read("a,b\n1,2\n1,2,3\n1,2,3\n", limit=0.1)


@pytest.mark.parametrize("tail", ["44,so", '44,"so', "44"])
def test_file_cut_in_mid_row(tail: str, read: Read) -> None:
    found, report = read("age,site,fever\n31,north,36.5\n" + tail)
    assert found["age"] == [31, 44 if "," in tail else None]
    assert found["site"] == ["north", None]
    assert (report.rows, report.cut, report.short) == (2, 1, 0)


def test_file_cut_in_mid_character(read: Read) -> None:
    data = "a,b\n1,x\n2,Zürich".encode()
    found, _ = read(data[: data.index("ü".encode()) + 1])
    assert found["b"] == ["x", "Z"]


def test_last_line_without_end_is_whole(read: Read) -> None:
    found, report = read("a,b\n1,x\n2,y")
    assert found == {"a": [1, 2], "b": ["x", "y"]}
    assert report.cut == 0


def test_nul_bytes(read: Read) -> None:
    found, report = read(b"age,site\n3\x001,no\x00rth\n44,south\n25,\x00\n26,east\n27,east\n")
    assert found == {"age": [31, 44, 25, 26, 27], "site": ["north", "south", None, "east", "east"]}
    assert report.nuls == 3
    assert "3 NUL characters removed" in str(report)


def test_open_quote_over_lines_is_refused(read: Read) -> None:
    with pytest.raises(BadInput, match=r'every quote must be closed, got an open one at position 8 \(\'"x,9'):
        read('a,b\n1,2\n"x,9\n2,3\n4,5\n')


def test_duplicate_and_empty_names(read: Read) -> None:
    found, report = read("age,,age, site ,age,\n1,2,3,north,5,6\n")
    assert list(found) == ["age", "column_2", "age_2", "site", "age_3", "column_6"]
    assert found["age_2"] == [3]
    assert sum("is called" in note for note in report.notes) == 4


def test_names_that_are_taken(read: Read) -> None:
    found, _ = read("a,a_2,a,,column_4\n1,2,3,4,5\n")
    assert found == {"a": [1], "a_2": [2], "a_3": [3], "column_4_2": [4], "column_4": [5]}


def test_a_header_of_numbers_is_remarked_upon(read: Read) -> None:
    _, report = read("5.1,3.5\n4.9,3.0\n")
    assert any("first row is taken for the header" in note for note in report.notes)


def test_ten_thousand_columns(engine: str, tmp_path: Path) -> None:
    d = 10_000
    rng = np.random.default_rng(0)
    values = rng.integers(0, 1000, (60, d))
    path = tmp_path / "wide.csv"
    header = ",".join(f"c{j}" for j in range(d))
    lines = [f"{','.join(map(str, row))},{'ab'[i % 2]}" for i, row in enumerate(values.tolist())]
    path.write_text("\n".join([header + ",y", *lines]))
    rows = open_rows(path, Roles(target="y"), format=Format(block=1 << 20), engine=engine)
    model = NaiveBayes().learn(rows)
    same = NaiveBayes().fit({f"c{j}": values[:, j] for j in range(d)}, list("ab" * 30))
    moments, theirs = model.summary_.summary.parts[0], same.summary_.summary.parts[0]  # type: ignore[attr-defined]
    np.testing.assert_allclose(moments.mean.value, theirs.mean.value, rtol=1e-13)
    assert rows.report.rows == 60
    assert len(rows.report.columns) == d + 1


def test_cell_of_fifty_megabytes(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "fat.csv"
    fat = b"word\n" * 10_000_000
    path.write_bytes(b'a,b\n1,x\n2,"' + fat + b'"\n3,y\n')
    found = all_cells(rows := open_rows(path, format=Format(limit=1.0), engine=engine))
    assert found["a"] == [1, 2, 3]
    assert [len(label) for label in found["b"]] == [1, len(fat), 1]
    assert rows.report.rows == 3


def test_a_high_limit_changes_no_kind(read: Read) -> None:
    found, _ = read("x,y\na,1\nb,2\nc,3\n", limit=1.0)
    assert found == {"x": ["a", "b", "c"], "y": [1, 2, 3]}


def test_one_column(read: Read) -> None:
    found, report = read("x\n1\n\n2\nNA\n3\n")
    assert found == {"x": [1, 2, None, 3]}
    assert report.rows == 4


def test_truncated_gzip(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(("a,b\n" + "1,2\n" * 5000).encode())[:-20])
    with pytest.raises(BadInput, match=r"the packed file must be whole, got another \(EOFError"):
        list(open_rows(path).chunks())


def test_a_pipe_can_be_read_once() -> None:
    class Pipe(io.RawIOBase):
        """Bytes that cannot be searched."""

        def __init__(self, data: bytes) -> None:
            self.data = io.BytesIO(data)

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            return self.data.read(min(size, 5) if size >= 0 else size)

    rows = open_rows(Pipe(gzip.compress(b"a,b\n1,x\n2,y\n")))
    assert all_cells(rows) == {"a": [1, 2], "b": ["x", "y"]}
    with pytest.raises(BadInput, match="a stream must be read once"):
        list(rows.chunks())


def test_words_in_files(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('note,y\n"red apple, red",a\nNA,b\n" ",b\ngreen pear,b\n')
    model = NaiveBayes(kinds={"note": "text"}).learn(open_rows(path, Roles(target="y"), engine=engine))
    same = NaiveBayes(kinds={"note": "text"}).fit({"note": ["red apple, red", None, None, "green pear"]}, list("abbb"))
    X = {"note": ["red pear", None]}
    np.testing.assert_allclose(model.predict_proba(X), same.predict_proba(X), atol=1e-14)


def test_trailing_separators_are_no_cells(read: Read) -> None:
    found, report = read("a,b\n1,x,\n2,y,\n")
    assert found == {"a": [1, 2], "b": ["x", "y"]}
    assert (report.long, report.short) == (0, 0)
