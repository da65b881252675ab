"""What of an API a newer OpenAPI document would break for clients of the older one.

A client keeps working when it can send what it sent before and finds in every answer what it found
before. Only that is compared: descriptions, titles and order mean nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]
_METHODS = ("get", "put", "post", "delete", "patch")
_SCALARS = ("string", "integer", "number", "boolean", "null")


def breaking_changes(old: Document, new: Document) -> list[str]:
    """A line for each change that breaks a client of ``old``, led by method and path."""
    lines = []
    for path, operations in old["paths"].items():
        for method in _METHODS:
            if method not in operations:
                continue
            place = f"{method.upper()} {path}"
            now = new["paths"].get(path, {}).get(method)
            if now is None:
                lines.append(f"{place}: is gone")
                continue
            comparison = _Comparison(old, new)
            lines += [f"{place}: {line}" for line in comparison.operation(operations[method], now)]
    return lines


@dataclass(frozen=True)
class _Kinds:
    """What a value may be: names of scalar types, values of enumerations, objects, arrays."""

    scalars: frozenset[str]
    values: frozenset[Any] | None
    """None: any value of the scalars."""
    objects: tuple[Document, ...]
    items: tuple[Document, ...]
    anything: bool


class _Comparison:
    """Compares one operation; a pair of named schemas is compared once in each direction."""

    def __init__(self, old: Document, new: Document) -> None:
        self._old = old
        self._new = new
        self._seen: set[tuple[int, int, bool]] = set()

    def operation(self, old: Document, new: Document) -> Iterator[str]:
        """Parameters, body and answers."""
        yield from self._parameters(old, new)
        yield from self._body(old, new)
        for status, answer in old["responses"].items():
            if not status.startswith("2"):
                continue
            now = new["responses"].get(status)
            if now is None:
                yield f"no longer answers {status}"
                continue
            for media, content in answer.get("content", {}).items():
                if media not in now.get("content", {}):
                    yield f"no longer answers {media}"
                    continue
                schemas = content.get("schema", {}), now["content"][media].get("schema", {})
                yield from self._schema("answer", *schemas, sent=False)

    def _parameters(self, old: Document, new: Document) -> Iterator[str]:
        before, after = (
            {(each["in"], each["name"]): each for each in operation.get("parameters", ())}
            for operation in (old, new)
        )
        for key, parameter in before.items():
            place = f"{key[0]} parameter {key[1]}"
            if key not in after:
                yield f"{place} is gone"
            else:
                schemas = parameter.get("schema", {}), after[key].get("schema", {})
                yield from self._schema(place, *schemas, sent=True)
        for key, parameter in after.items():
            was_required = before.get(key, {}).get("required", False)
            if parameter.get("required") and not was_required:
                yield f"{key[0]} parameter {key[1]} is required"

    def _body(self, old: Document, new: Document) -> Iterator[str]:
        before, after = (operation.get("requestBody", {}) for operation in (old, new))
        if after.get("required") and not before.get("required"):
            yield "a body is required"
        for media, content in before.get("content", {}).items():
            now = after.get("content", {}).get(media)
            if now is None:
                yield f"no longer takes {media}"
                continue
            schemas = content.get("schema", {}), now.get("schema", {})
            yield from self._schema("body", *schemas, sent=True)

    def _schema(self, place: str, old: Document, new: Document, *, sent: bool) -> Iterator[str]:
        """What breaks when a value changes so; ``sent``: by the client, else to it."""
        old, new = _resolved(old, self._old), _resolved(new, self._new)
        pair = (id(old), id(new), sent)
        if pair in self._seen:
            return
        self._seen.add(pair)
        before, after = self._kinds(old, self._old), self._kinds(new, self._new)
        # What is sent must still be taken; what is answered must have been expected.
        given, taken = (before, after) if sent else (after, before)
        if taken.anything:
            return
        if given.anything:
            yield f"{place} may be anything"
            return
        for name in sorted(given.scalars - taken.scalars):
            if not (name == "integer" and "number" in taken.scalars):
                yield f"{place} may be {name}" if not sent else f"{place} may not be {name}"
        if taken.values is not None and sent:
            for value in sorted(map(str, (given.values or frozenset()) - taken.values)):
                yield f"{place} may not be {value}"
            if given.values is None and given.scalars - {"null"}:
                yield f"{place} is one of a few values"
        yield from self._parts(place, before, after, sent=sent)

    def _parts(self, place: str, before: _Kinds, after: _Kinds, *, sent: bool) -> Iterator[str]:
        given, taken = (before, after) if sent else (after, before)
        if len(given.objects) > len(taken.objects):
            yield f"{place} may be another object" if not sent else f"{place} may not be an object"
        if len(given.items) > len(taken.items):
            yield f"{place} may be a list" if not sent else f"{place} may not be a list"
        for old, new in zip(before.items, after.items, strict=False):
            yield from self._schema(f"{place}[]", old, new, sent=sent)
        for old, new in zip(before.objects, after.objects, strict=False):
            yield from self._object(place, old, new, sent=sent)

    def _object(self, place: str, old: Document, new: Document, *, sent: bool) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        required = set(old.get("required", ())), set(new.get("required", ()))
        for name, schema in before.items():
            if name not in after:
                yield f"{place}.{name} is gone"
                continue
            yield from self._schema(f"{place}.{name}", schema, after[name], sent=sent)
            if not sent and name in required[0] - required[1]:
                yield f"{place}.{name} may be missing"
        if sent:
            for name in sorted(required[1] - required[0]):
                yield f"{place}.{name} is required"

    def _kinds(self, schema: Document, document: Document) -> _Kinds:
        scalars: set[str] = set()
        values: set[Any] | None = set()
        objects: list[Document] = []
        items: list[Document] = []
        anything = False
        for each in _alternatives(schema, document):
            types = each.get("type", ())
            types = {types} if isinstance(types, str) else set(types)
            named = each.get("enum", [each["const"]] if "const" in each else None)
            if named is not None:
                values = None if values is None else values | set(named)
            elif types & set(_SCALARS) - {"null"}:
                values = None
            scalars |= types & set(_SCALARS)
            if "object" in types or "properties" in each:
                objects.append(each)
            if "array" in types:
                items.append(each.get("items", {}))
            anything = anything or (not types and named is None and "properties" not in each)
        known = frozenset(values) if values else None
        return _Kinds(frozenset(scalars), known, tuple(objects), tuple(items), anything)


def _alternatives(schema: Document, document: Document) -> Iterator[Document]:
    for key in ("anyOf", "oneOf"):
        if key in schema:
            for each in schema[key]:
                yield from _alternatives(_resolved(each, document), document)
            return
    yield schema


def _resolved(schema: Document, document: Document) -> Document:
    """The schema itself, of a reference the schema it names."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema
