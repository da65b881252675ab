"""Compares two OpenAPI documents for changes that break clients of the older API.

A client keeps working while its requests are accepted and all properties of its answers remain.
Descriptions, titles and the order of properties are ignored.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]
_METHODS = ("get", "put", "post", "delete", "patch")
_SCALARS = ("string", "integer", "number", "boolean", "null")
_UPPER_LIMITS = ("maxLength", "maxItems", "maximum", "exclusiveMaximum")
_LOWER_LIMITS = ("minLength", "minItems", "minimum", "exclusiveMinimum")
_FORMS = ("format", "pattern")

ACCEPTED_CHANGES: tuple[str, ...] = ()
"""Patterns of the breaking changes that we accept; a release empties the list (CONTRIBUTING)."""


def is_accepted(line: str) -> bool:
    """Whether we accept a breaking change."""
    change = line.partition(": ")[2]
    return any(re.fullmatch(pattern, change) for pattern in ACCEPTED_CHANGES)


def find_breaking_changes(old: Document, new: Document) -> list[str]:
    """Report each change that breaks clients of ``old``: method, path and change."""
    lines = []
    for path, operations in old["paths"].items():
        for method in _METHODS:
            if method not in operations:
                continue
            location = f"{method.upper()} {path}"
            new_operation = new["paths"].get(path, {}).get(method)
            if new_operation is None:
                lines.append(f"{location}: is gone")
                continue
            changes = _Comparison(old, new).compare(operations[method], new_operation)
            lines += [f"{location}: {change}" for change in changes]
    return lines


@dataclass(frozen=True)
class _Kinds:
    """The kinds of a value: scalar types, values of enumerations, objects and arrays."""

    scalars: frozenset[str]
    values: frozenset[Any] | None
    """None stands for any value of the scalar types."""
    objects: tuple[Document, ...]
    items: tuple[Document, ...]
    is_anything: bool
    alternatives: tuple[Document, ...]

    def list_limits(self, kind: str, limit: str) -> set[Any] | None:
        """List the values of a limit in the schemas of a type; None if a schema has no limit."""
        values = {a.get(limit) for a in self.alternatives if kind in _list_types(a)}
        return None if None in values else values


class _Comparison:
    """Compares an operation, and each pair of its schemas once per direction."""

    def __init__(self, old: Document, new: Document) -> None:
        self._old = old
        self._new = new
        self._compared_pairs: set[tuple[int, int, bool]] = set()

    def compare(self, old: Document, new: Document) -> Iterator[str]:
        """Compare parameters, body and answers of an operation."""
        yield from self._compare_parameters(old, new)
        yield from self._compare_bodies(old, new)
        for status, answer in old["responses"].items():
            if not status.startswith("2"):
                continue
            new_answer = new["responses"].get(status)
            if new_answer is None:
                yield f"no longer answers {status}"
                continue
            for media, content in answer.get("content", {}).items():
                new_content = new_answer.get("content", {}).get(media)
                if new_content is None:
                    yield f"no longer answers {media}"
                    continue
                schemas = content.get("schema", {}), new_content.get("schema", {})
                yield from self._compare_schemas("answer", *schemas, is_request=False)

    def _compare_parameters(self, old: Document, new: Document) -> Iterator[str]:
        before, after = (
            {
                (parameter["in"], parameter["name"]): parameter
                for parameter in operation.get("parameters", ())
            }
            for operation in (old, new)
        )
        for key, parameter in before.items():
            location = f"{key[0]} parameter {key[1]}"
            if key not in after:
                yield f"{location} is gone"
            else:
                schemas = parameter.get("schema", {}), after[key].get("schema", {})
                yield from self._compare_schemas(location, *schemas, is_request=True)
        for key, parameter in after.items():
            was_required = before.get(key, {}).get("required", False)
            if parameter.get("required") and not was_required:
                yield f"{key[0]} parameter {key[1]} is required"

    def _compare_bodies(self, old: Document, new: Document) -> Iterator[str]:
        before, after = (operation.get("requestBody", {}) for operation in (old, new))
        if after.get("required") and not before.get("required"):
            yield "a body is required"
        for media, content in before.get("content", {}).items():
            new_content = after.get("content", {}).get(media)
            if new_content is None:
                yield f"no longer accepts {media}"
                continue
            schemas = content.get("schema", {}), new_content.get("schema", {})
            yield from self._compare_schemas("body", *schemas, is_request=True)

    def _compare_schemas(
        self, location: str, old: Document, new: Document, *, is_request: bool
    ) -> Iterator[str]:
        """Compare the schemas of a value that the client sends, or that it receives."""
        old, new = _resolve_schema(old, self._old), _resolve_schema(new, self._new)
        pair = (id(old), id(new), is_request)
        if pair in self._compared_pairs:
            return
        self._compared_pairs.add(pair)
        before, after = self._find_kinds(old, self._old), self._find_kinds(new, self._new)
        # The server must accept all that clients send, and clients all that the server answers.
        sent_kinds, accepted_kinds = (before, after) if is_request else (after, before)
        if accepted_kinds.is_anything:
            return
        if sent_kinds.is_anything:
            yield f"{location} may be anything"
            return
        for name in sorted(sent_kinds.scalars - accepted_kinds.scalars):
            if not (name == "integer" and "number" in accepted_kinds.scalars):
                yield (
                    f"{location} may be {name}"
                    if not is_request
                    else f"{location} may not be {name}"
                )
        if accepted_kinds.values is not None and is_request:
            for value in sorted(
                map(str, (sent_kinds.values or frozenset()) - accepted_kinds.values)
            ):
                yield f"{location} may not be {value}"
            if sent_kinds.values is None and sent_kinds.scalars - {"null"}:
                yield f"{location} accepts only some values"
        for name in (*_SCALARS, "array"):
            yield from _compare_limits(location, name, before, after, is_request=is_request)
        yield from self._compare_parts(location, before, after, is_request=is_request)

    def _compare_parts(
        self, location: str, before: _Kinds, after: _Kinds, *, is_request: bool
    ) -> Iterator[str]:
        sent_kinds, accepted_kinds = (before, after) if is_request else (after, before)
        if len(sent_kinds.objects) > len(accepted_kinds.objects):
            yield (
                f"{location} may be another object"
                if not is_request
                else f"{location} may not be an object"
            )
        if len(sent_kinds.items) > len(accepted_kinds.items):
            yield f"{location} may be a list" if not is_request else f"{location} may not be a list"
        for old, new in zip(before.items, after.items, strict=False):
            if not is_request and old.get("type") == "null":
                # The items could only be null, so no client read anything from them.
                continue
            yield from self._compare_schemas(f"{location}[]", old, new, is_request=is_request)
        for old, new in zip(before.objects, after.objects, strict=False):
            yield from self._compare_objects(location, old, new, is_request=is_request)

    def _compare_objects(
        self, location: str, old: Document, new: Document, *, is_request: bool
    ) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        required_before, required_after = set(old.get("required", ())), set(new.get("required", ()))
        for name, schema in before.items():
            if name not in after:
                yield f"{location}.{name} is gone"
                continue
            yield from self._compare_schemas(
                f"{location}.{name}", schema, after[name], is_request=is_request
            )
            if not is_request and name in required_before - required_after:
                yield f"{location}.{name} may be missing"
        if is_request:
            for name in sorted(required_after - required_before):
                yield f"{location}.{name} is required"

    def _find_kinds(self, schema: Document, document: Document) -> _Kinds:
        scalars: set[str] = set()
        values: set[Any] | None = set()
        objects: list[Document] = []
        items: list[Document] = []
        is_anything = False
        alternatives = tuple(_list_alternatives(schema, document))
        for alternative in alternatives:
            types = _list_types(alternative)
            constants = [alternative["const"]] if "const" in alternative else None
            allowed_values = alternative.get("enum", constants)
            if allowed_values is not None:
                values = None if values is None else values | set(allowed_values)
            elif types & set(_SCALARS) - {"null"}:
                values = None
            scalars |= types & set(_SCALARS)
            if "object" in types or "properties" in alternative:
                objects.append(alternative)
            if "array" in types:
                items.append(alternative.get("items", {}))
            is_anything = is_anything or (
                not types and allowed_values is None and "properties" not in alternative
            )
        value_set = frozenset(values) if values else None
        return _Kinds(
            frozenset(scalars), value_set, tuple(objects), tuple(items), is_anything, alternatives
        )


def _compare_limits(
    location: str, kind: str, before: _Kinds, after: _Kinds, *, is_request: bool
) -> Iterator[str]:
    """Compare the limits of a type that both have: requests may not get narrower ones.

    The form of an answer's text may not change either, such as from a day to an instant.
    """
    if not all(
        any(kind in _list_types(a) for a in kinds.alternatives) for kinds in (before, after)
    ):
        return
    for limit in (*_UPPER_LIMITS, *_LOWER_LIMITS) if is_request else ():
        old, new = before.list_limits(kind, limit), after.list_limits(kind, limit)
        if new is None:
            continue
        if limit in _UPPER_LIMITS and (old is None or max(new) < max(old)):
            yield f"{location} has a lower {limit}"
        if limit in _LOWER_LIMITS and (old is None or min(new) > min(old)):
            yield f"{location} has a higher {limit}"
    for form in _FORMS:
        old, new = before.list_limits(kind, form), after.list_limits(kind, form)
        sent_forms, accepted_forms = (old, new) if is_request else (new, old)
        if accepted_forms is not None and (sent_forms is None or sent_forms - accepted_forms):
            yield f"{location} has another {form}"


def _list_types(schema: Document) -> set[str]:
    types = schema.get("type", ())
    return {types} if isinstance(types, str) else set(types)


def _list_alternatives(schema: Document, document: Document) -> Iterator[Document]:
    for key in ("anyOf", "oneOf"):
        if key in schema:
            for alternative in schema[key]:
                yield from _list_alternatives(_resolve_schema(alternative, document), document)
            return
    yield schema


def _resolve_schema(schema: Document, document: Document) -> Document:
    """Return the schema, or the named schema if it is a reference."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema
