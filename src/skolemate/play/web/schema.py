"""A part of JSON Schema, by which requests are described and checked.

All numbers are integers; objects accept only the listed entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from skolemate.errors import UserError, brief

if TYPE_CHECKING:
    from skolemate.play.web.handlers import Endpoint


Schema = Mapping[str, Any]
HALVES = re.compile("[\ud800-\udfff]")  # halves of surrogate pairs: JSON has them, UTF-8 has not


def text(*, longest: int = 100, pattern: str | None = None, **more: Any) -> Schema:
    schema: dict[str, Any] = {"type": "string", "maxLength": longest}
    if pattern is not None:
        schema["pattern"] = f"^{pattern}$"
    return schema | more


def integer(least: int, most: int, **more: Any) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most} | more


def array(items: Schema, longest: int) -> Schema:
    return {"type": "array", "items": items, "maxItems": longest}


def obj(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def nullable(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def checked(value: Any, schema: Schema, name: str = "the body") -> Any:
    """The value itself if it fits the schema; else a UserError that says what does not."""
    if "anyOf" in schema:
        return _any_of(value, schema["anyOf"], name)
    kind = schema["type"]
    if kind == "null":
        _insist(value is None, f"{name} must be null")
    elif kind == "boolean":
        _insist(isinstance(value, bool), f"{name} must be true or false")
    elif kind == "integer":
        whole = isinstance(value, int) and not isinstance(value, bool)
        least, most = schema["minimum"], schema["maximum"]
        _insist(
            whole and least <= value <= most,
            f"{name} must be a whole number from {least} to {most}",
        )
    elif kind == "string":
        _check_text(value, schema, name)
    elif kind == "array":
        _insist(isinstance(value, list), f"{name} must be a list")
        most = schema["maxItems"]
        _insist(len(value) <= most, f"{name} has more than {most} entries")
        for entry in value:
            checked(entry, schema["items"], f"an entry of {name}")
    else:
        _check_object(value, schema, name)
    return value


def _insist(holds: bool, message: str) -> None:
    if not holds:
        raise UserError(message)


def _any_of(value: Any, schemas: list[Schema], name: str) -> Any:
    refusals = []
    for schema in schemas:
        try:
            return checked(value, schema, name)
        except UserError as error:
            refusals.append(str(error))
    raise UserError(", or ".join(refusals))


def _check_text(value: Any, schema: Schema, name: str) -> None:
    _insist(isinstance(value, str), f"{name} must be a text")
    most = schema["maxLength"]
    _insist(len(value) <= most, f"{name} is longer than {most} characters")
    _insist(not HALVES.search(value), f"{name} holds halves of characters")
    if "enum" in schema and value not in schema["enum"]:
        raise UserError(f"{name} must be {' or '.join(schema['enum'])}, not {brief(value)}")
    if "pattern" in schema and not re.search(schema["pattern"].replace("$", r"\Z"), value):
        raise UserError(f"{name} cannot be {brief(value)}")


def _check_object(value: Any, schema: Schema, name: str) -> None:
    _insist(isinstance(value, dict), f"{name} must be a JSON object")
    for key in schema["required"]:
        _insist(key in value, f"{key} is missing")
    for key, entry in value.items():
        if key not in schema["properties"]:
            raise UserError(f"there is no {brief(key)} in {name}")
        checked(entry, schema["properties"][key], key)


def read_query(query: Mapping[str, list[str]], schema: Schema) -> dict[str, Any]:
    """The parameters of a query, which are all texts, converted by the schema."""
    parameters: dict[str, Any] = {}
    for key, values in query.items():
        _insist(len(values) == 1, f"{brief(key)} is given twice")
        [value] = values
        entry = schema["properties"].get(key, {})
        whole = entry.get("type") == "integer" and re.fullmatch("-?[0-9]{1,9}", value)
        parameters[key] = int(value) if whole else value
    checked(parameters, schema, "the address")
    return parameters


# --- OpenAPI --------------------------------------------------------------------------------------
# The description of the HTTP interface, made from the table of endpoints.


ERROR: Schema = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "string"}},
}
ERRORS = {
    400: "Something is wrong with the request; the error says what.",
    403: "Asked from elsewhere, or by a name that is not this server's.",
    404: "Nothing is kept under this name.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    429: "The pool of runs is full; try again in a moment.",
}


def openapi(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Skolemate",
            "version": version("skolemate"),
            "description": "Can this player force a win within d moves, and how?",
        },
        "paths": paths,
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in endpoint.path_parameters.items()
    ]
    parameters += [
        {"name": name, "in": "query", "required": name in endpoint.query["required"], "schema": s}
        for name, s in endpoint.query["properties"].items()
    ]
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": {str(endpoint.status): _answer(endpoint)}
        | {
            str(status): {
                "description": words,
                "content": {"application/json": {"schema": ERROR}},
            }
            for status, words in ERRORS.items()
        },
    }
    if endpoint.body is not None:
        content = {"application/json": {"schema": endpoint.body}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _answer(endpoint: Endpoint) -> dict[str, Any]:
    schema = endpoint.answer if endpoint.answer is not None else {"type": "string"}
    return {"description": endpoint.summary, "content": {endpoint.media: {"schema": schema}}}
