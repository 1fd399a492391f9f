"""What every estimator is to scikit-learn: parameters, checks, tags, and the fitted value it holds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import wraps
from os import PathLike
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin
from sklearn.utils.validation import check_is_fitted

from suffice.core.errors import bad, in_our_name
from suffice.estimators.boundary.all_or_nothing import all_or_nothing
from suffice.estimators.boundary.doors import AnyTable
from suffice.estimators.boundary.opening import answer_engines
from suffice.estimators.boundary.targets import NoTarget, Target
from suffice.estimators.design.gap_choice import ARRAY
from suffice.estimators.faces.sparse_coefficients import FLAG
from suffice.estimators.glue.callbacks import TOLD, VERBS, WATCHED, told
from suffice.estimators.state.class_labels import Declared
from suffice.estimators.state.described import Described, plain
from suffice.estimators.state.fitted import FittedModel, Plan
from suffice.estimators.state.loaded import SavedModel
from suffice.estimators.state.origin import Origin, column_names

PLAIN = (bool, int, float, str, np.generic, type(None))
CHECKED_ONCE = frozenset({bool, int, float, str, type(None)})  # types whose values never change
REMEMBERED = 256  # parameters of each class that were found valid
_valid: dict[type[Any], set[Any]] = {}


class Estimator(CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """Holds a `FittedModel`. A subclass supplies `_plan`, and says by `_door` and `_target` how X and y are read."""

    threads: int | None = None
    refusal: Any = None
    ledger: Any = None  # True, or a key, where a ledger of the rows is to be kept
    fitted_: FittedModel
    n_features_in_: int
    _origin: Origin
    _door: Any = AnyTable()  # how X is read
    _target: Target = NoTarget()  # how y is read
    _not_saved: ClassVar[tuple[str, ...]] = ()  # parameters that decide nothing about a fitted model: only if plain

    def __init_subclass__(cls, **options: Any) -> None:
        """Answer rows on an engine by the engine's own collection, whatever the class says; tell callbacks of fits."""
        super().__init_subclass__(**options)
        for name in VERBS:
            if inspect.isfunction(verb := vars(cls).get(name)):
                setattr(cls, name, _telling(verb))
        answer_engines(cls)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file: numbers and a description, never code. `suffice.load` reads it."""
        from suffice.persistence import save
        from suffice.persistence.dismantle import Unsavable

        try:
            save(self._saved(), path)
        except Unsavable as error:
            from suffice.estimators.boundary.unsaved_levels import of_its_column

            raise of_its_column(self, error) from None

    def set_params(self, **params: Any) -> Self:
        """Change parameters; a fitted model that keeps a summary is read anew from it at once, without its rows.

        A parameter that decides what is kept of the rows (kinds, how texts become words, thresholds) cannot be answered
        from the summary: it takes effect with the next `fit`, and so does all else until then.
        """
        strange = [name for name in params if name.partition("__")[0] not in self.get_params(deep=False)]
        if strange:
            rule = f"among {list(self.get_params(deep=False))} (Invalid parameter {strange[0]!r})"
            near = get_close_matches(strange[0], list(self.get_params(deep=False)), n=1)
            remedy = f"Did you mean {near[0]!r}?" if near else "Correct its name."
            raise bad(self._owner, "a parameter", rule, strange[0], remedy)
        with all_or_nothing(self):
            with in_our_name(self._owner):
                super().set_params(**params)
            fitted = self._before
            if fitted is not None and fitted.adds:
                self._validate_params()
                self._adopt(fitted.replan(self._plan()), self._origin)
            return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect of it."""
        tags = super().__sklearn_tags__()
        self._door.tag(tags)
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        """Whether something was learned."""
        return "fitted_" in vars(self)

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _plan(self) -> Plan:
        """What the parameters ask for."""
        raise TypeError(f"{self._owner}: an estimator must say what its parameters ask for.")

    def _validate_params(self) -> None:
        """Check the parameters; plain values that were found valid before are not checked again."""
        own = vars(self).items()  # attributes that begin or end with an underscore are no parameters
        given = tuple([(name, type(value), value) for name, value in own if name[0] != "_" != name[-1]])
        plain_values = all([kind in CHECKED_ONCE or _never_changes(value) for _, kind, value in given])
        valid = _valid.setdefault(type(self), set())
        if plain_values and given in valid:
            return
        super()._validate_params()
        if plain_values:
            if len(valid) >= REMEMBERED:
                valid.clear()
            valid.add(given)

    @property
    def _before(self) -> FittedModel | None:
        return vars(self).get("fitted_")

    def _begin(self) -> None:
        self._validate_params()
        for name in ("fitted_", "n_features_in_", "feature_names_in_", "receipt_", FLAG, ARRAY):
            self.__dict__.pop(name, None)

    def _check_X(self, X: Any, *, first: bool, learning: bool = True) -> Any:
        return self._door.check(self, X, first=first, learning=learning)

    def _columns(self) -> tuple[int, tuple[Any, ...] | None]:
        return self.n_features_in_, column_names(self)

    def _meet(self, names: tuple[Any, ...]) -> None:
        self.n_features_in_ = len(names)
        self.__dict__.pop("feature_names_in_", None)
        if all(isinstance(name, str) for name in names):  # others are none to scikit-learn
            self.feature_names_in_ = np.array(names, dtype=object)

    def _declare(self, labels: tuple[Any, ...]) -> Declared:
        return Declared()

    def _state(self, X: Any = None) -> tuple[FittedModel, Any]:
        if "fitted_" not in vars(self):
            check_is_fitted(self, "fitted_")
        return self.fitted_, None if X is None else self._check_X(X, first=False, learning=False)

    def _adopt(self, fitted: FittedModel, origin: Origin) -> Self:
        fitted.model  # noqa: B018  (what cannot be estimated is refused before it is kept)
        self.fitted_, self._origin = fitted, origin
        return self

    def _saved(self) -> SavedModel:
        check_is_fitted(self, "fitted_")
        return SavedModel(self._owner, self.fitted_, self._origin, plain(self._parameters()))

    def _described(self) -> Described:
        """What a file keeps of it where it is a parameter of another estimator."""
        return Described(self._owner, plain(self._parameters()))

    def _parameters(self) -> dict[str, Any]:
        """Parameters as they may be saved."""
        given = self.get_params(deep=False)
        if isinstance(given.get("ledger"), (str, bytes)):  # the key stays with the user
            given["ledger"] = True
        return {name: value for name, value in given.items() if name not in self._not_saved or isinstance(value, PLAIN)}

    @classmethod
    def _made_of(cls, parameters: Mapping[str, Any]) -> Self:
        """An estimator with parameters as they were saved."""
        return cls(**parameters)

    def _restore(self, value: SavedModel) -> Self:
        """Take on what a file held."""
        self.n_features_in_ = value.origin.width
        if value.origin.names is not None:
            self.feature_names_in_ = np.array(value.origin.names, dtype=object)
        return self._adopt(value.fitted, value.origin)


def _never_changes(value: Any) -> bool:
    """Whether a value, or all those of a tuple, is of a type whose values stay what they are."""
    return type(value) in CHECKED_ONCE or (type(value) is tuple and all(type(each) is float for each in value))


def _telling(verb: Callable[..., Any]) -> Callable[..., Any]:
    """A verb that tells callbacks of it, where an estimator has some."""

    @wraps(verb)
    def telling(self: Any, *args: Any, **kwargs: Any) -> Any:
        own = vars(self)
        if WATCHED.isdisjoint(own) or TOLD in own:  # nobody watches, or the verb that called this one tells
            return verb(self, *args, **kwargs)
        return told(self, verb, args, kwargs)

    return telling
