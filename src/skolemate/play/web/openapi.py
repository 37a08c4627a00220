"""The description of the HTTP interface in the OpenAPI format, made from the table of endpoints."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from skolemate.play.web.handlers import Endpoint
from skolemate.play.web.schema import Schema

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
