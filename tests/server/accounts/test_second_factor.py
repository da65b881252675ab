"""Second factors: set up, asked for at sign-in and signing, required by the lab (ADR 62)."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pyotp
import pytest

from app.basics.clock import get_utc_now
from app.server.accounts.second_factors import SecondFactors
from tests.server.accounts.builders import PASSWORD
from tests.server.world import World


class Owner:
    """A person with an authenticator app, whose clock the test moves."""

    def __init__(self, world: World, email: str) -> None:
        self.world, self.email = world, email
        self.headers: dict[str, str] = {}
        self.key = ""
        self.codes: list[str] = []
        self.now = get_utc_now()

    async def sign_in(self, code: str | None = None, password: str = PASSWORD) -> httpx.Response:
        """Sign in, with a code if there is one, and use the session."""
        answer = await self.world.http.post(
            "/auth/login", json={"loginId": self.email, "password": password, "code": code}
        )
        if answer.status_code == 200:
            self.headers = {"Authorization": f"JWT {answer.json()['token']}"}
        return answer

    async def call(self, path: str, **body: Any) -> httpx.Response:
        """Post to the routes of the second factor."""
        return await self.world.http.post(
            f"/auth/second-factor/{path}", json=body, headers=self.headers
        )

    async def read(self) -> dict[str, Any]:
        """Read the state of the second factor."""
        answer = await self.world.http.get("/auth/second-factor", headers=self.headers)
        return dict(answer.json())

    def compute_code(self, *, steps: int = 0) -> str:
        """Compute the code that the app shows now, or some steps earlier or later."""
        return pyotp.TOTP(self.key).at(self.now, counter_offset=steps)

    async def turn_on(self) -> None:
        """Set up the second factor, and move the clock on, because each code works once."""
        assert (await self.sign_in()).status_code == 200
        self.key = (await self.call("setup", password=PASSWORD)).json()["key"]
        answer = await self.call("confirm", code=self.compute_code())
        assert answer.status_code == 200, answer.text
        self.codes = answer.json()["codes"]
        self.now += timedelta(seconds=30)


@pytest.fixture
def owner(world: World, monkeypatch: pytest.MonkeyPatch) -> Owner:
    """A person without a second factor."""
    account = world.create_account("Client Basic", client_ids=[world.create_client()])
    person = Owner(world, account.email)

    def read_clock() -> datetime:
        return person.now

    monkeypatch.setattr("app.server.accounts.second_factors.get_utc_now", read_clock)
    world.run_sql("DELETE FROM quota_counts")
    return person


def require_second_factor_of(world: World, *roles: str) -> None:
    """Let the lab require a second factor of these roles."""
    world.run_sql(
        "INSERT INTO lab_settings (name, value)"
        " VALUES ('sign-in', jsonb_build_object('secondFactorRoles', %s::text[]))"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (list(roles),),
    )


class TestSetup:
    """POST /auth/second-factor/setup and /confirm."""

    async def test_shows_the_key_as_text_and_picture(self, owner: Owner) -> None:
        await owner.sign_in()
        body = (await owner.call("setup", password=PASSWORD)).json()
        assert len(body["key"]) == 32
        assert body["picture"].startswith("data:image/svg+xml;base64,")

    async def test_needs_the_password(self, owner: Owner, parse_problem) -> None:
        await owner.sign_in()
        answer = await owner.call("setup", password="nope")
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == "password"

    async def test_second_factor_is_on_only_after_a_code_of_the_app(self, owner: Owner) -> None:
        await owner.sign_in()
        await owner.call("setup", password=PASSWORD)
        assert (await owner.call("confirm", code="000000")).status_code == 400
        assert (await owner.read())["isOn"] is False
        assert (await owner.sign_in()).status_code == 200

    async def test_turns_on_with_recovery_codes_and_ends_other_sessions(self, owner: Owner) -> None:
        await owner.sign_in()
        earlier_headers = owner.headers
        await owner.turn_on()
        assert len(set(owner.codes)) == 10
        assert await owner.read() == {"isOn": True, "isRequired": False, "recoveryCodesLeft": 10}
        answer = await owner.world.http.get("/auth/jwt/validate", headers=earlier_headers)
        assert answer.status_code == 401
        assert (await owner.call("setup", password=PASSWORD)).status_code == 409

    async def test_no_session_begins_without_a_code_meanwhile(
        self, owner: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await owner.sign_in()
        owner.key = (await owner.call("setup", password=PASSWORD)).json()["key"]
        require_code = SecondFactors.require_code

        async def turn_on_after_asking(
            self: SecondFactors, user_id: UUID, code: str | None
        ) -> bool:
            has_factor = await require_code(self, user_id, code)
            monkeypatch.setattr(SecondFactors, "require_code", require_code)
            await owner.call("confirm", code=owner.compute_code())
            return has_factor

        monkeypatch.setattr(SecondFactors, "require_code", turn_on_after_asking)
        answer = await owner.world.http.post(
            "/auth/login", json={"loginId": owner.email, "password": PASSWORD}
        )
        assert answer.status_code == 403
        assert (await owner.read())["isOn"] is True

    async def test_stores_neither_the_key_nor_a_code(self, owner: Owner) -> None:
        await owner.turn_on()
        stored_value = owner.world.run_sql(
            "SELECT string_agg(f::text, '') || (SELECT string_agg(c::text, '')"
            " FROM recovery_codes c) FROM second_factors f"
        )
        for secret in (owner.key, *owner.codes):
            assert secret.encode().hex() not in stored_value
            assert secret not in stored_value


class TestSignIn:
    """POST /auth/login of somebody with a second factor."""

    async def test_asks_for_a_code_after_the_right_password_only(
        self, owner: Owner, parse_problem
    ) -> None:
        await owner.turn_on()
        assert (await owner.sign_in(password="nope")).status_code == 404
        answer = await owner.sign_in()
        assert answer.status_code == 403
        assert parse_problem(answer)["code"] == "second_factor_required"
        assert (await owner.sign_in(owner.compute_code())).status_code == 200

    async def test_a_code_works_once(self, owner: Owner, parse_problem) -> None:
        await owner.turn_on()
        code = owner.compute_code()
        assert (await owner.sign_in(code)).status_code == 200
        answer = await owner.sign_in(code)
        assert answer.status_code == 403
        assert parse_problem(answer)["code"] == "second_factor_invalid"

    @pytest.mark.parametrize(("steps", "status"), [(-2, 403), (-1, 200), (1, 200), (2, 403)])
    async def test_clocks_may_differ_by_one_step(
        self, owner: Owner, steps: int, status: int
    ) -> None:
        await owner.turn_on()
        owner.now += timedelta(seconds=300)
        assert (await owner.sign_in(owner.compute_code(steps=steps))).status_code == status

    async def test_a_recovery_code_works_once_however_it_is_typed(self, owner: Owner) -> None:
        await owner.turn_on()
        typed_code = owner.codes[0].upper().replace("-", " ")
        assert (await owner.sign_in(typed_code)).status_code == 200
        assert (await owner.read())["recoveryCodesLeft"] == 9
        assert (await owner.sign_in(owner.codes[0])).status_code == 403

    async def test_guesses_are_delayed_and_signing_in_without_a_code_does_not_reset_them(
        self, owner: Owner
    ) -> None:
        await owner.turn_on()
        statuses = []
        for _ in range(3):
            statuses.append((await owner.sign_in("000000")).status_code)
        statuses.append((await owner.sign_in()).status_code)
        assert statuses == [403, 403, 403, 429]

    async def test_a_sign_in_without_a_code_does_not_count_as_a_failure(self, owner: Owner) -> None:
        await owner.turn_on()
        for _ in range(6):
            assert (await owner.sign_in()).status_code == 403
        assert (await owner.sign_in(owner.compute_code())).status_code == 200

    async def test_is_audited(self, owner: Owner) -> None:
        await owner.turn_on()
        await owner.sign_in()
        await owner.sign_in("000000")
        await owner.sign_in(owner.codes[0])
        actions = owner.world.run_sql(
            "SELECT string_agg(action, ' ' ORDER BY e.id) FROM audit_events e"
            " JOIN users u ON u.id = e.user_id WHERE u.email = %s AND action LIKE '%%-%%'",
            (owner.email,),
        )
        assert "begin-second-factor turn-on-second-factor" in actions
        assert "ask-second-factor fail-second-factor use-recovery-code sign-in" in actions


class TestTurningOff:
    """POST /auth/second-factor/turn-off and /recovery-codes."""

    async def test_needs_password_and_code(self, owner: Owner) -> None:
        await owner.turn_on()
        rejected_answers = [
            await owner.call("turn-off", password="nope", code=owner.compute_code()),
            await owner.call("turn-off", password=PASSWORD, code="000000"),
        ]
        assert [answer.status_code for answer in rejected_answers] == [400, 400]
        answer = await owner.call("turn-off", password=PASSWORD, code=owner.compute_code())
        assert answer.status_code == 204
        assert (await owner.sign_in()).status_code == 200

    async def test_new_recovery_codes_replace_the_old(self, owner: Owner) -> None:
        await owner.turn_on()
        answer = await owner.call("recovery-codes", password=PASSWORD, code=owner.compute_code())
        codes = answer.json()["codes"]
        assert not set(codes) & set(owner.codes)
        assert (await owner.sign_in(owner.codes[0])).status_code == 403
        assert (await owner.sign_in(codes[0])).status_code == 200

    @pytest.mark.parametrize("path", ["turn-off", "recovery-codes"])
    async def test_ends_the_other_sessions(self, owner: Owner, path: str) -> None:
        await owner.turn_on()
        assert (await owner.sign_in(owner.codes[0])).status_code == 200
        other_headers = owner.headers
        assert (await owner.sign_in(owner.codes[1])).status_code == 200
        answer = await owner.call(path, password=PASSWORD, code=owner.compute_code())
        assert answer.is_success
        for headers, status in ((owner.headers, 200), (other_headers, 401)):
            answer = await owner.world.http.get("/auth/jwt/validate", headers=headers)
            assert answer.status_code == status


class TestRequired:
    """A lab that requires a second factor of a role."""

    @pytest.fixture(autouse=True)
    def second_factor_requirement(self, owner: Owner) -> Any:
        """Require a second factor, for this test only."""
        require_second_factor_of(owner.world, "Client Basic")
        yield
        owner.world.run_sql("DELETE FROM lab_settings WHERE name = 'sign-in'")

    async def test_denies_other_calls_until_the_second_factor_is_on(
        self, owner: Owner, parse_problem
    ) -> None:
        answer = await owner.sign_in()
        assert answer.json()["user"]["mustSetUpSecondFactor"] is True
        path = "/api/v2/requisitions/remote-operations"
        answer = await owner.world.http.get(path, headers=owner.headers)
        assert answer.status_code == 403
        assert parse_problem(answer)["code"] == "second_factor_setup_required"
        await owner.turn_on()
        assert (await owner.world.http.get(path, headers=owner.headers)).status_code == 200
        answer = await owner.world.http.get("/auth/jwt/validate", headers=owner.headers)
        assert answer.json()["user"]["mustSetUpSecondFactor"] is False

    async def test_other_roles_need_no_second_factor(self, owner: Owner) -> None:
        person = await owner.world.sign_in(owner.world.create_account("Superuser"))
        answer = await owner.world.http.get(
            "/api/v2/requisitions/remote-operations", headers=person.headers
        )
        assert answer.status_code == 200
