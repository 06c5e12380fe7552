"""A strict reading of JSON documents by Python types: no extra key, no missing key, no coercion, at any depth.

`check(value, type)` raises `Refused`, or returns the places of all objects whose keys are fixed, so that a caller can
prove the strictness: a document with any key of those places renamed must be refused.

Google's SDK has models for its requests. The others have typed dictionaries, and models for what they answer, which no
document is. Pydantic alone would check an `Iterable[…]` only when somebody walks it, and let extra keys pass.
"""

import copy
import json
import types
import typing
from collections.abc import Iterable, Mapping

import pydantic
import typing_extensions
from typing_extensions import Annotated, Literal, NotRequired, ReadOnly, Required

Place = tuple  # keys and indexes from the root


class Refused(Exception):
    """The value is not of the type."""

    def __init__(self, place: Place, fact: str):
        super().__init__(f"{pointer(place)}: {fact}")
        self.depth = len(place)


def pointer(place: Place) -> str:
    return "/" + "/".join(str(part) for part in place)


def check(value: object, kind: object, place: Place = ()) -> list[Place]:
    """The places of the objects with fixed keys in a value of the type."""
    if kind in (object, typing.Any):
        return []
    if kind is None or kind is type(None):
        return _plain(value is None, value, "null", place)
    if typing_extensions.is_typeddict(kind):
        return _typed_dict(value, kind, place)
    if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
        _plain(kind.__module__.startswith("google.genai"), value, f"an object of the class {kind.__name__}", place)
        return _model(value, kind, place)
    origin = typing_extensions.get_origin(kind)
    if origin is not None:
        return _generic(value, kind, origin, place)
    if isinstance(kind, typing_extensions.TypeAliasType):
        return check(value, kind.__value__, place)
    if kind is float:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return _plain(is_number, value, "a number", place)
    if kind is int:
        return _plain(isinstance(value, int) and not isinstance(value, bool), value, "an integer", place)
    if isinstance(kind, type):
        return _plain(isinstance(value, kind), value, kind.__name__, place)
    raise TypeError(f"the checker does not know the type {kind!r}")


def _plain(holds: bool, value: object, wanted: str, place: Place) -> list[Place]:
    if not holds:
        raise Refused(place, f"{json.dumps(value)[:80]} is not {wanted}")
    return []


def _generic(value: object, kind: object, origin: object, place: Place) -> list[Place]:
    inner = typing_extensions.get_args(kind)
    if origin in (Annotated, Required, NotRequired, ReadOnly):
        return check(value, inner[0], place)
    if origin in (typing.Union, types.UnionType):
        return _union(value, inner, place)
    if origin is Literal:
        is_one = any(type(value) is type(one) and value == one for one in inner)
        return _plain(is_one, value, f"one of {list(inner)}", place)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        _plain(isinstance(value, dict), value, "an object", place)
        return [found for key, part in value.items() for found in check(part, inner[1], (*place, key))]
    if isinstance(origin, type) and (issubclass(origin, Iterable) or origin.__name__ == "SequenceNotStr"):
        _plain(isinstance(value, list), value, "a list", place)
        return [found for at, part in enumerate(value) for found in check(part, inner[0], (*place, at))]
    raise TypeError(f"the checker does not know the type {kind!r}")


def _union(value: object, kinds: tuple, place: Place) -> list[Place]:
    """The first type that the value is of; else the refusal that came furthest, which names the likeliest fault."""
    furthest = None
    for kind in _likely(value, kinds):
        try:
            return check(value, kind, place)
        except Refused as refused:
            if furthest is None or refused.depth > furthest.depth:
                furthest = refused
    raise furthest


def _likely(value: object, kinds: tuple) -> tuple:
    """Those of the types that are marked as the value is, by `type` or `role`; all when none is."""
    if not isinstance(value, dict):
        return kinds
    marks = [(key, value[key]) for key in ("type", "role") if isinstance(value.get(key), str)]
    marked = tuple(kind for kind in kinds if marks and all(_allows(kind, key, mark) for key, mark in marks))
    return marked or kinds


def _allows(kind: object, key: str, mark: str) -> bool:
    if not typing_extensions.is_typeddict(kind):
        return False
    try:
        check(mark, typing_extensions.get_type_hints(kind, include_extras=True)[key])
    except (KeyError, Refused):
        return False
    return True


def _typed_dict(value: object, kind: type, place: Place) -> list[Place]:
    _plain(isinstance(value, dict), value, f"a {kind.__name__}", place)
    hints = typing_extensions.get_type_hints(kind, include_extras=True)
    is_open = (getattr(kind, "__pydantic_config__", None) or {}).get("extra") == "allow"
    extra = sorted(value.keys() - hints.keys())
    if extra and not is_open:
        raise Refused(place, f"a {kind.__name__} has no {extra}")
    missing = sorted(key for key, hint in hints.items() if _is_required(kind, key, hint) and key not in value)
    if missing:
        raise Refused(place, f"a {kind.__name__} needs {missing}")
    found = [] if is_open else [place]
    for key in value.keys() & hints.keys():
        found += check(value[key], hints[key], (*place, key))
    return found


def _is_required(kind: type, key: str, hint: object) -> bool:
    marks = set()
    while typing_extensions.get_origin(hint) in (Required, NotRequired, ReadOnly, Annotated):
        marks.add(typing_extensions.get_origin(hint))
        hint = typing_extensions.get_args(hint)[0]
    return Required in marks or (NotRequired not in marks and key in kind.__required_keys__)


# Keys of Google's models below which everything is free, and those whose own keys are free and whose values are not.
FREE = {"response", "args", "parametersJsonSchema", "responseJsonSchema", "default", "example", "partMetadata"}
MAPS = {"properties", "defs"}


def _model(value: object, kind: type, place: Place) -> list[Place]:
    try:
        kind.model_validate_json(json.dumps(value), strict=True, extra="forbid", by_alias=True, by_name=False)
    except pydantic.ValidationError as err:
        first = err.errors()[0]
        raise Refused((*place, *first["loc"]), first["msg"]) from None
    return [(*place, *inner) for inner in _fixed(value, ())]


def _fixed(value: object, place: Place) -> list[Place]:
    if isinstance(value, list):
        return [found for at, part in enumerate(value) for found in _fixed(part, (*place, at))]
    if not isinstance(value, dict):
        return []
    if place and place[-1] in MAPS:
        return [found for key, part in value.items() for found in _fixed(part, (*place, key))]
    found = [place]
    for key, part in value.items():
        if key not in FREE:
            found += _fixed(part, (*place, key))
    return found


def prove(value: object, kind: object) -> int:
    """Checks a value, then that every copy of it with one key renamed is refused. Gives the number of copies."""
    places = check(value, kind)
    renamed = 0
    for place in places:
        for key in _at(value, place):
            copied = copy.deepcopy(value)
            target = _at(copied, place)
            target[f"{key}_"] = target.pop(key)
            renamed += 1
            try:
                check(copied, kind)
            except Refused:
                continue
            raise Refused((*place, key), "the key was renamed, and the copy was taken all the same")
    if renamed == 0:
        raise Refused((), "no key has a fixed name here, so nothing is proved")
    return renamed


def _at(value: object, place: Place) -> object:
    for part in place:
        value = value[part]
    return value
