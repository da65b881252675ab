"""The route class of the house: policy first, then the transaction, then the endpoint.

The transaction is committed inside the route, so an answer only leaves after the commit; code
after ``yield`` in a FastAPI dependency would run too late (see ADR 0001).
"""

from collections.abc import Callable, Coroutine
from typing import Any, get_type_hints

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from app.basics.errors import BadInput, Forbidden
from app.contract import messages
from app.server.access.idempotency import (
    AnsweredBefore,
    claim_key,
    earlier_answer,
    keep_answer,
)
from app.server.access.policy import Policy, policy_of
from app.server.access.work import Work, expected_version
from app.server.actor import ANONYMOUS, Actor

_READS = frozenset({"GET", "HEAD", "OPTIONS"})


class PortalRoute(APIRoute):
    """A route that knows its policy. Building one without a policy raises LookupError."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **kwargs: Any) -> None:
        self.policy = policy_of(endpoint)
        super().__init__(path, endpoint, **kwargs)
        if _answers_itself(endpoint):
            self.app = _plainly(self.get_route_handler())

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The endpoint's handler, wrapped in policy and transaction."""
        policy = policy_of(self.endpoint)
        handle = self.endpoint if _answers_itself(self.endpoint) else super().get_route_handler()

        async def answer(request: Request) -> Response:
            actor = await _admit(request, policy)
            request.state.actor = actor
            if not policy.transaction:
                return await handle(request)
            return await _within_transaction(request, actor, policy, handle)

        return answer


def portal_router(prefix: str, tag: str) -> APIRouter:
    """A router whose routes all need a policy."""
    return APIRouter(prefix=prefix, tags=[tag], route_class=PortalRoute)


def _answers_itself(endpoint: Callable[..., Any]) -> bool:
    """Whether it turns the bare request into a response, as list pages do: a fifth of their time
    would go into working out parameters that they do not have."""
    return get_type_hints(endpoint) == {"request": Request, "return": Response}


def _plainly(
    handle: Callable[[Request], Coroutine[Any, Any, Response]],
) -> Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]:
    """The handler as an ASGI application, without what FastAPI puts around parameters."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handle(Request(scope, receive, send))
        await response(scope, receive, send)

    return app


async def _admit(request: Request, policy: Policy) -> Actor:
    if policy.roles is None:
        return ANONYMOUS
    actor: Actor = await request.app.state.portal.authentication.actor(request)
    if actor.role not in policy.roles:
        raise Forbidden(messages.FORBIDDEN)
    return actor


async def _within_transaction(
    request: Request,
    actor: Actor,
    policy: Policy,
    handle: Callable[[Request], Coroutine[Any, Any, Response]],
) -> Response:
    portal = request.app.state.portal
    writes = request.method not in _READS
    if writes:
        await _take_body(request)
    keeps_answer = writes and not policy.repeatable
    key = request.headers.get("idempotency-key") if keeps_answer else None
    version = expected_version(request.headers.get("if-match"))
    async with portal.database.transaction(actor) as session:
        work = Work(actor, session, portal, request.state.request_id, version)
        request.state.work = work
        if key is not None:
            await claim_key(work, request, key)
        if policy.fresh_sign_in:
            portal.authentication.spend_fresh_sign_in(work)
        try:
            if policy.fresh_sign_in:
                # Who has no fresh sign-in has no picture drawn either.
                await work.statements.send()
            response = await _checked(work, handle, request)
        except AnsweredBefore:
            assert key is not None
            return await earlier_answer(work, request, key)
        if key is not None:
            keep_answer(work, key, response)
    return response


async def _checked(
    work: Work, handle: Callable[[Request], Coroutine[Any, Any, Response]], request: Request
) -> Response:
    """The endpoint's response. What was to be checked with its first statement goes before what is
    wrong with the request, also where it came to none."""
    try:
        return await handle(request)
    except AnsweredBefore:
        raise
    except Exception:
        if work.statements.are_waiting and not work.statements.have_begun:
            await work.statements.send()
        raise


async def _take_body(request: Request) -> None:
    """Wait for the whole body, which the request keeps, before the transaction holds a connection:
    one that comes slowly keeps nobody else from writing."""
    try:
        await request.body()
    except ClientDisconnect as error:
        raise BadInput(messages.BODY_NOT_JSON) from error  # nobody is there to read it
