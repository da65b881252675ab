"""The route class: it checks the policy, opens the transaction and runs the endpoint.

The route commits before it returns the response, so no answer is sent before its commit. Code
after ``yield`` in a FastAPI dependency would run too late (ADR 1).
"""

from collections.abc import Callable, Coroutine, Iterable
from typing import Any, get_type_hints

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from app.basics.errors import Forbidden, NotFound, PortalError, require_allowed
from app.contract import messages
from app.server.access.bodies import open_body
from app.server.access.denials import audit_denial, is_denial
from app.server.access.idempotency import (
    AlreadyAnswered,
    claim_key,
    load_stored_answer,
    store_answer,
)
from app.server.access.parameters import (
    is_plain_id,
    list_id_parameters,
    list_query_parameters,
    require_known_parameters,
    require_plain_ids,
)
from app.server.access.policy import Policy, get_policy, judge_second_factor
from app.server.access.quotas import Quota, find_quota, spend_quota
from app.server.access.work import Work, parse_if_match
from app.server.actor import ANONYMOUS, Actor

READ_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_CHECKED_PATHS = ("/api/", "/auth/")
"""Reads of these reject unknown parameters. Monitors may add some to the other paths."""
_Handle = Callable[[Request], Coroutine[Any, Any, Response]]


class PortalRoute(APIRoute):
    """A route with a policy. Raises LookupError when its endpoint declares none."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **kwargs: Any) -> None:
        self.policy = get_policy(endpoint)
        self.quota = _find_quota(kwargs.get("methods") or ("GET",), path)
        super().__init__(path, endpoint, **kwargs)
        self.known_parameters = self._list_parameters()
        self.query_id_names = tuple(list_id_parameters(self.dependant))
        self.path_id_names = tuple(
            parameter.name
            for parameter in self.dependant.path_params
            if parameter.field_info.annotation is int
        )
        if _accepts_bare_request(endpoint):
            self.app = _build_asgi_app(self.get_route_handler())
        elif not self.dependencies and (name := _find_id_parameter(endpoint, path)):
            self.app = self._build_record_app(name)

    @property
    def is_in_api(self) -> bool:
        """Whether the route belongs to the API that programs call."""
        return self.path.startswith(_CHECKED_PATHS)

    def _list_parameters(self) -> frozenset[str] | None:
        """Return the query parameters of a read; None if the endpoint checks them itself.

        Lists do: they document their parameters. So does every route with ``allow_parameters``.
        """
        is_read = (self.methods or set()) <= READ_METHODS
        if not is_read or not self.is_in_api or self.dependencies or self.openapi_extra:
            return None
        return frozenset(list_query_parameters(self.dependant))

    def get_route_handler(self) -> _Handle:
        """Return the endpoint's handler, wrapped in policy and transaction."""
        policy = get_policy(self.endpoint)
        handle = (
            self.endpoint if _accepts_bare_request(self.endpoint) else super().get_route_handler()
        )
        return self._build_answer(policy, handle)

    def _build_answer(self, policy: Policy, handle: _Handle) -> _Handle:
        async def answer(request: Request) -> Response:
            actor = await _find_actor(request, policy)
            request.state.actor = actor
            try:
                return await admit(request, actor)
            except PortalError as error:
                if is_denial(error) and policy.audits_denials:
                    await audit_denial(request, actor, error)
                raise

        async def admit(request: Request, actor: Actor) -> Response:
            _require_role(actor, policy)
            require_allowed(judge_second_factor(actor, policy))
            if self.quota is not None:
                await spend_quota(request, actor, self.quota)
            if not all(is_plain_id(request.path_params[name]) for name in self.path_id_names):
                raise NotFound(messages.NOT_FOUND)
            if self.known_parameters is not None:
                require_known_parameters(request.query_params, self.known_parameters)
            if self.query_id_names:
                require_plain_ids(request.query_params, self.query_id_names)
            if request.method in READ_METHODS:
                return await run(request, actor)
            # The transaction begins after the body: a slow upload must not hold a connection.
            async with open_body(request, actor, policy.body):
                return await run(request, actor)

        async def run(request: Request, actor: Actor) -> Response:
            if not policy.transaction:
                return await handle(request)
            return await _run_in_transaction(request, actor, policy, handle)

        return answer

    def _build_record_app(self, name: str) -> ASGIApp:
        """Build an application for a route whose only parameter is the id in the path."""

        async def handle(request: Request) -> Response:
            values = {name: int(request.path_params[name])}
            response: Response = await self.endpoint(request=request, **values)
            return response

        return _build_asgi_app(self._build_answer(self.policy, handle))


def build_router(prefix: str, tag: str) -> APIRouter:
    """Build a router whose routes must all declare a policy."""
    return APIRouter(prefix=prefix, tags=[tag], route_class=PortalRoute)


def _accepts_bare_request(endpoint: Callable[..., Any]) -> bool:
    """Whether the endpoint takes only the request and returns a response, as list pages do.

    FastAPI would spend a fifth of a page's time on parameters that such endpoints do not have.
    """
    return get_type_hints(endpoint) == {"request": Request, "return": Response}


def _find_id_parameter(endpoint: Callable[..., Any], path: str) -> str | None:
    """Return the name of the id in the path if it is all that the endpoint takes, or None."""
    hints = get_type_hints(endpoint, include_extras=True)
    if hints.pop("request", None) is not Request or hints.pop("return", None) is not Response:
        return None
    names = [name for name, hint in hints.items() if hint is int and f"{{{name}}}" in path]
    return names[0] if len(names) == len(hints) == 1 else None


def _build_asgi_app(handle: _Handle) -> ASGIApp:
    """Wrap the handler in an ASGI application without FastAPI's parsing of parameters."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handle(Request(scope, receive, send))
        await response(scope, receive, send)

    return app


def _require_role(actor: Actor, policy: Policy) -> None:
    if policy.roles is not None and actor.role not in policy.roles:
        raise Forbidden(messages.FORBIDDEN)


async def _find_actor(request: Request, policy: Policy) -> Actor:
    if policy.roles is None:
        return ANONYMOUS
    actor: Actor = await request.app.state.portal.authentication.get_actor(request)
    return actor


def _find_quota(methods: Iterable[str], path: str) -> Quota | None:
    quotas = (find_quota(method, path) for method in methods)
    return next((quota for quota in quotas if quota is not None), None)


async def _run_in_transaction(
    request: Request,
    actor: Actor,
    policy: Policy,
    handle: _Handle,
) -> Response:
    portal = request.app.state.portal
    stores_answer = request.method not in READ_METHODS and not policy.repeatable
    key = request.headers.get("idempotency-key") if stores_answer else None
    version = parse_if_match(request.headers.get("if-match"))
    async with portal.database.transaction(actor) as transaction:
        work = Work(transaction, portal, request.state.request_id, version)
        request.state.work = work
        if key is not None:
            await claim_key(work, request, key)
        if policy.fresh_sign_in:
            portal.authentication.spend_fresh_sign_in(work)
        try:
            response = await _call_endpoint(work, handle, request)
        except AlreadyAnswered:
            assert key is not None
            return await load_stored_answer(work, request, key)
        if key is not None:
            store_answer(work, key, response)
    return response


async def _call_endpoint(work: Work, handle: _Handle, request: Request) -> Response:
    """Return the endpoint's response.

    An endpoint that fails before its first statement leaves pending checks (the claimed key, the
    fresh sign-in). They run now, because their errors take precedence over those of the request.
    """
    try:
        return await handle(request)
    except AlreadyAnswered:
        raise
    except Exception:
        if work.statements.has_pending and not work.statements.has_begun:
            await work.statements.send()
        raise
