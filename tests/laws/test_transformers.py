"""Every one-pass transformer is under law."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from suffice import (
    PCA,
    Binarizer,
    Calibrate,
    CartesianProduct,
    ClassImputer,
    Discretizer,
    GroupCategories,
    IncrementalPCA,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    MissingAsValue,
    NormalImputer,
    Normalizer,
    OneHotEncoder,
    OrderCategories,
    OrdinalEncoder,
    PolynomialFeatures,
    ProductTerms,
    RobustScaler,
    SelectKBest,
    SelectPercentile,
    SimpleImputer,
    SixSigmaScaler,
    StandardScaler,
    TableEncoder,
    TargetEncoder,
    TfidfTransformer,
    Threshold,
    TruncatedSVD,
    VarianceScaler,
    VarianceThreshold,
)
from suffice.testing.check import broken, hold
from suffice.testing.rows import reach
from suffice.testing.tables import BENIGN, FINITE, LABELS, NUMBERS, numbers, rows, symbols
from suffice.testing.transformer_laws import LAWS, Subject, copies, forgetting, order, whole

pytestmark = pytest.mark.filterwarnings("ignore:Feature . is constant")

TEXTS = {name: labels for name, labels in LABELS.items() if all(isinstance(label, str) for label in labels)}
CELLS = {name: column for name, column in NUMBERS.items() if name not in ("huge", "tiny")}


def cells(part: Any) -> Any:
    """Symbols as a table of objects."""
    out = np.empty(part.codes.shape, dtype=object)
    for j, labels in enumerate(part.labels):
        column = np.array([*labels, None], dtype=object)
        out[:, j] = column[part.codes[:, j]]
    return out


def scales(model: Any, X: Any) -> list[tuple[Any, Any]]:
    apart = reach(X) + 1e-6 * np.nanmax(np.abs(X), axis=0, initial=0.0)
    return [(model.mean_, apart), (model.var_, model.var_ + 1e-12 * apart**2)]


def variances(model: Any, X: Any) -> list[tuple[Any, Any]]:
    return [(model.variances_, scales_of(X) ** 2 * 1e-12 + model.variances_)]


def scales_of(X: Any) -> Any:
    return reach(X) + 1e-6 * np.nanmax(np.abs(X), axis=0, initial=0.0)


def weights_of_words(model: Any, X: Any) -> list[tuple[Any, Any]]:
    return [(model.idf_, 1.0)]


def products(model: Any, X: Any) -> list[tuple[Any, Any]]:
    apart = reach(X) + 1e-6 * np.nanmax(np.abs(X), axis=0, initial=0.0)
    return [(model.mean_, apart), (model.covariance_, np.outer(apart, apart))]


def filling(model: Any, X: Any) -> list[tuple[Any, Any]]:
    """Means; of a column that no row has, not a number."""
    return [(np.nan_to_num(model.statistics_.astype(np.float64), nan=-7.0), 1e-12)]


def centres(model: Any, X: Any) -> list[tuple[Any, Any]]:
    """Modes are cells; of a column that no row has, not a number."""
    return [([str(model.classes_.tolist())], None), (np.nan_to_num(model.centres_, nan=-7.0), 1e-6)]


def categories(model: Any, X: Any) -> list[tuple[Any, Any]]:
    return [([str(some.tolist()) for some in model.categories_], None)]


def axes(model: Any, X: Any) -> list[tuple[Any, Any]]:
    """Mean and covariance: equal rows say them alike, where axes of equal variance may turn."""
    apart = reach(X) + 1e-6 * np.abs(X).max(axis=0, initial=0.0)
    found = model.get_covariance()
    size = np.trace(found) + 1e-5 * apart.max(initial=0.0) ** 2
    return [(model.mean_, apart), (found, np.full_like(found, size))]


def squares(model: Any, X: Any) -> list[tuple[Any, Any]]:
    size = 1e-5 * np.abs(X).max(initial=1.0) ** 2
    return [(model.singular_values_**2, model.singular_values_**2 + size), (model.explained_variance_, size)]


def mapped(model: Any, X: Any) -> list[tuple[Any, Any]]:
    """What it makes of the rows: exact, as rankings and counts of whole weights are."""
    Z = np.asarray(model.transform(model.rows_of(X)), dtype=float)
    return [(Z, 1.0 + np.nanmax(np.abs(Z), axis=0, initial=0.0))]


def told(model: Any, X: Any) -> list[tuple[Any, Any]]:
    """The same, of one that makes symbols."""
    return [([str(np.asarray(model.transform(model.rows_of(X)), dtype=object).tolist())], None)]


def of_numbers(kind: Any, **parameters: Any) -> Any:
    """A transformer of arrays that says how law rows become its table."""
    return type(kind.__name__, (kind,), {"rows_of": staticmethod(lambda part: part)})(**parameters)


def of_symbols(kind: Any, **parameters: Any) -> Any:
    """The same for symbols."""
    return type(kind.__name__, (kind,), {"rows_of": staticmethod(cells)})(**parameters)


def ranked(kind: Any, labelled: bool = False, **parameters: Any) -> Subject:
    """A transformer that reads rankings of numbers."""
    make = partial(of_numbers, kind, **parameters)
    return Subject(kind.__name__, make, lambda part: part, mapped, labelled, whole=True)


def counted(kind: Any, labelled: bool = False, **parameters: Any) -> Subject:
    """A transformer that reads counts of symbols; what was never seen must have a code."""
    return Subject(kind.__name__, partial(of_symbols, kind, **parameters), cells, mapped, labelled, whole=True)


def label(X: Any) -> Any:
    """A class that a row has by itself, so that shards and orders know it too."""
    return np.where(np.nansum(np.sign(X), axis=1) > 0, "up", "down")


def selecting(base: type[Any], **given: Any) -> Any:
    """A selector whose labels follow from its rows."""

    class Labelled(base):  # type: ignore[misc]
        def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Any:
            return super().fit(X, label(X), sample_weight)

        def forget(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Any:
            return super().forget(X, label(X), sample_weight)

    Labelled.__init__ = base.__init__  # type: ignore[method-assign]
    return lambda: Labelled(**given)


def selected(model: Any, X: Any) -> list[tuple[Any, Any]]:
    """What a selector has kept, which its scores are read from."""
    kept = model.fitted_.state
    part = kept.summary.parts[0]
    if not hasattr(part, "values"):
        weight = part.weight.value
        return [([kept.labels], None), (weight, 1.0 + weight)]
    return [([kept.labels, [v.tolist() for v in part.values]], None), (part.weight, 1.0 + part.weight)]


MODELS = [
    Subject("SelectKBest", selecting(SelectKBest, k=1), lambda part: part, selected),
    Subject("SelectPercentile", selecting(SelectPercentile, score_func="gain_ratio"), lambda part: part, selected),
    Subject("IncrementalPCA", IncrementalPCA, lambda part: part, axes),
    Subject("PCA", PCA, lambda part: part, axes),
    Subject("TruncatedSVD", lambda: TruncatedSVD(1), lambda part: part, squares),
    Subject("StandardScaler", StandardScaler, lambda part: part, scales),
    Subject("VarianceScaler", VarianceScaler, lambda part: part, scales),
    Subject("SixSigmaScaler", SixSigmaScaler, lambda part: part, scales),
    Subject("SimpleImputer", SimpleImputer, lambda part: part, filling),
    Subject("NormalImputer", NormalImputer, lambda part: part, products),
    Subject("OneHotEncoder", OneHotEncoder, cells, categories),
    Subject("CartesianProduct", CartesianProduct, cells, categories),
    Subject("VarianceThreshold", VarianceThreshold, lambda part: part, variances),
    Subject("TfidfTransformer", TfidfTransformer, lambda part: part, weights_of_words, whole=True),
    ranked(Binarizer),
    ranked(Normalizer),
    ranked(PolynomialFeatures),
    ranked(ProductTerms),
    ranked(MinMaxScaler, clip=True),
    ranked(MaxAbsScaler, clip=True),
    ranked(RobustScaler),
    ranked(KBinsDiscretizer, encode="ordinal", strategy="uniform"),
    ranked(Discretizer, True, strategy="chimerge", p=0.5),
    ranked(Threshold, True, at="information_gain"),
    ranked(Calibrate, True),
    Subject("ClassImputer", partial(ClassImputer, "mode"), lambda part: part, centres, True, whole=True),
    counted(OrdinalEncoder, handle_unknown="use_encoded_value", unknown_value=-1),
    Subject("MissingAsValue", partial(of_symbols, MissingAsValue), cells, told, whole=True),
    counted(OrderCategories, True),
    counted(GroupCategories, True, by="target"),
    counted(TargetEncoder, True, target_type="multiclass"),
    counted(TableEncoder),
]
COMPLETE = {  # which take no missing cells
    "Binarizer",
    "IncrementalPCA",
    "KBinsDiscretizer",
    "Normalizer",
    "PCA",
    "PolynomialFeatures",
    "SelectKBest",
    "SelectPercentile",
    "TfidfTransformer",
    "TruncatedSVD",
}
NEAR = {name: column for name, column in FINITE.items() if name not in ("huge", "tiny")}
TABLES = {
    subject.name: rows(symbols(TEXTS))
    if subject.table is cells
    else rows(numbers(NEAR, missing=False) if subject.name in COMPLETE else numbers(CELLS))
    for subject in MODELS
}
TABLES["NormalImputer"] = rows(numbers(BENIGN, missing=False))  # missing cells take iterations: see its tests


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("subject", MODELS, ids=lambda subject: subject.name)
def test_law(subject: Subject, law: Any) -> None:
    hold(lambda rows: law(subject, rows), TABLES[subject.name], f"{subject.name} {law.__name__}")


class Forgetful(StandardScaler):
    """Planted: only its own rows count."""

    def merge(self, *others: Any) -> Any:
        return self


class Clinging(StandardScaler):
    """Planted: nothing is taken away."""

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Any:
        return self


class FirstTwice(StandardScaler):
    """Planted: the first row counts twice."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Any:
        w = np.ones(len(X)) if sample_weight is None else np.array(sample_weight, dtype=float)
        w[:1] *= 2.0
        return super().fit(X, y, w)


class Unweighed(StandardScaler):
    """Planted: weights are not looked at, but for rows of weight 0."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: Any = None) -> Any:
        return super().fit(X, y, None if sample_weight is None else (np.asarray(sample_weight) > 0).astype(float))


DEFECTS = [(Forgetful, whole), (FirstTwice, order), (Unweighed, copies), (Clinging, forgetting)]
PLANTED = [law for _, law in DEFECTS]  # what tests/laws/test_complete.py counts


@pytest.mark.parametrize(("defect", "law"), DEFECTS)
def test_planted_defects_are_found(defect: Any, law: Any) -> None:
    subject = Subject("planted", defect, lambda part: part, scales)
    assert broken(lambda rows: law(subject, rows), TABLES["StandardScaler"])
