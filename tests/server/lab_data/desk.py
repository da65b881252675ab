"""A person who maintains the lab's data, and a valid new row of each kind."""

import base64
from collections.abc import Callable, Mapping
from typing import Any

from tests.server.accounts.builders import Person
from tests.server.world import World

PATH = "/api/v2/lab-data"


class Desk:
    """A person who maintains the lab's data, with requests."""

    def __init__(self, world: World, person: Person) -> None:
        self.world, self.person = world, person

    async def send(
        self, method: str, path: str, body: Any = None, *, version: int | None = None
    ) -> Any:
        """Send a request below ``PATH``, and return the answer."""
        headers = dict(self.person.headers)
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return await self.world.http.request(method, f"{PATH}{path}", headers=headers, json=body)

    async def create(self, kind: str, /, **values: Any) -> dict[str, Any]:
        """Create a row, and return it."""
        answer = await self.send("POST", f"/{kind}", {"values": values})
        assert answer.status_code == 201, answer.text
        row: dict[str, Any] = answer.json()
        return row

    async def change(self, kind: str, row: Mapping[str, Any], /, **values: Any) -> Any:
        """Change a row, and return the answer."""
        path = f"/{kind}/{row['id']}"
        return await self.send("PUT", path, {"values": values}, version=row["version"])

    async def read_history(self, kind: str, row: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Read the history of a row."""
        answer = await self.send("GET", f"/{kind}/{row['id']}/history")
        assert answer.status_code == 200, answer.text
        changes: list[dict[str, Any]] = answer.json()
        return changes

    async def export(self, kind: str) -> bytes:
        """Export the kind as a file."""
        answer = await self.send("GET", f"/{kind}/csv")
        assert answer.status_code == 200, answer.text
        return bytes(answer.content)

    async def preview(self, kind: str, content: bytes | str) -> Any:
        """Preview a file, and return the answer."""
        return await self.send("POST", f"/{kind}/csv/preview", _encode_file(content))

    async def apply(self, kind: str, content: bytes | str, token: str) -> Any:
        """Apply a file, and return the answer."""
        return await self.send("POST", f"/{kind}/csv", {**_encode_file(content), "token": token})

    async def load(self, kind: str, content: bytes | str) -> dict[str, Any]:
        """Preview a file and apply it."""
        preview = await self.preview(kind, content)
        assert preview.status_code == 200, preview.text
        answer = await self.apply(kind, content, preview.json()["token"])
        assert answer.status_code == 200, answer.text
        applied: dict[str, Any] = answer.json()
        return applied


def _encode_file(content: bytes | str) -> dict[str, str]:
    raw = content if isinstance(content, bytes) else content.encode()
    return {"content": base64.b64encode(raw).decode()}


class Samples:
    """Valid values of new rows, which no other test uses."""

    def __init__(self, world: World, number: int) -> None:
        self.world, self.number = world, number

    @property
    def client(self) -> str:
        """The code of a new client."""
        client_id = self.world.create_client()
        return str(self.world.run_sql("SELECT code FROM clients WHERE id = %s", (client_id,)))

    @property
    def test(self) -> str:
        """The code of a new test."""
        code = f"T{self.number}"
        self.world.run_sql(
            "INSERT INTO lab_tests (code, name, search_text, kind, result_type, orderable)"
            " VALUES (%s, %s, %s, 'clinical', 1, false) ON CONFLICT DO NOTHING",
            (code, f"TEST {code}", f"{code} TEST"),
        )
        return code

    @property
    def antibiotic(self) -> str:
        """The code of a new antibiotic."""
        code = f"A{self.number}"
        self.world.run_sql(
            "INSERT INTO antibiotics (code, name, class_name, position)"
            " VALUES (%s, %s, 'Invented', 900) ON CONFLICT DO NOTHING",
            (code, f"Antibiotic {code}"),
        )
        return code

    def build_substance(self, name: str) -> str:
        """Return the name of a new substance."""
        name = f"{name} {self.number}"
        self.world.run_sql(
            "INSERT INTO toxicology_substances (name, drug_class) VALUES (%s, 'INVENTED')"
            " ON CONFLICT DO NOTHING",
            (name,),
        )
        return name

    @property
    def npi(self) -> str:
        """A valid NPI: its last digit is the check digit (Luhn) of '80840' and the others."""
        base = f"2{self.number % 100_000_000:08d}"
        digits = [int(d) * (2 if i % 2 == 0 else 1) for i, d in enumerate(reversed("80840" + base))]
        total = sum(d - 9 if d > 9 else d for d in digits)
        return f"{base}{-total % 10}"

    def build(self, kind: str) -> dict[str, Any]:
        """Build the values of a new row, which stores all of them unchanged."""
        return _SAMPLES[kind](self, self.number)


_SAMPLES: Mapping[str, Callable[[Samples, int], dict[str, Any]]] = {
    "clients": lambda s, n: {
        "code": f"K{n}",
        "name": f"HOUSE {n}",
        "defaultBillTo": "Client",
        "phone": "815-555-0100",
        "physicians": [],
        "tests": [s.test],
    },
    "units": lambda s, n: {"client": s.client, "name": f"UNIT {n}"},
    "rooms": lambda s, n: {"client": s.client, "name": f"ROOM {n}"},
    "critical-contacts": lambda s, n: {
        "client": s.client,
        "position": 1,
        "name": "Ward desk",
        "hours": "Mon-Fri 8-17",
    },
    "physicians": lambda s, n: {
        "npi": s.npi,
        "lastName": f"DOCTOR{n}",
        "firstName": "DANA",
        "clients": [s.client],
    },
    "lab-tests": lambda s, n: {
        "code": f"L{n}",
        "name": f"NEW TEST {n}",
        "kind": "Clinical",
        "orderable": False,
        "resultType": "Value value",
        "isPanel": True,
        "members": [s.test],
        "requiredMl": "1.5",
    },
    "reference-ranges": lambda s, n: {
        "test": s.test,
        "gender": "Female",
        "ageFromDays": 0,
        "ageToDays": 60000,
        "low": "3.5",
        "high": "5.1",
    },
    "test-codes": lambda s, n: {"test": s.test, "code": f"OLD{n}"},
    "containers": lambda s, n: {"name": f"Tube {n}", "volumeMl": "4"},
    "medications": lambda s, n: {"name": f"DRUG {n}"},
    "diagnosis-terms": lambda s, n: {
        "term": f"TERM {n}",
        "diagnosis": str(s.world.run_sql("SELECT code FROM diagnoses ORDER BY id LIMIT 1")),
    },
    "payers": lambda s, n: {"name": f"PAYER {n}", "billType": "MEDICARE"},
    "bill-types": lambda s, n: {"name": f"BILL TYPE {n}", "position": 90},
    "supply-categories": lambda s, n: {"name": f"Category {n}", "position": 90},
    "supplies": lambda s, n: {
        "code": f"S{n}",
        "name": "Box",
        "category": str(
            s.world.run_sql(
                "INSERT INTO supply_categories (name, position) VALUES (%s, 90) RETURNING name",
                (f"Boxes {n}",),
            )
        ),
        "position": 1,
    },
    "reasons": lambda s, n: {"kind": "Hold", "code": f"R{n}", "words": "Something", "position": 9},
    "collection-sites": lambda s, n: {"name": f"Site {n}", "position": 90},
    "organisms": lambda s, n: {"code": f"O{n}", "name": "Inventella", "groupCode": "INVENTED"},
    "antibiotics": lambda s, n: {
        "code": f"B{n}",
        "name": "Inventicillin",
        "className": "Invented",
        "position": 901,
    },
    "breakpoints": lambda s, n: {
        "edition": "A 2000",
        "appliesTo": "INVENTED",
        "antibiotic": s.antibiotic,
        "method": "MIC",
        "susceptible": "4",
        "resistant": "16",
    },
    "cascade-rules": lambda s, n: {
        "antibiotic": s.antibiotic,
        "unlessInterpretations": [],
        "unlessSource": "BLOOD",
    },
    "intrinsic-resistances": lambda s, n: {"appliesTo": "INVENTED", "antibiotic": s.antibiotic},
    "culture-terms": lambda s, n: {
        "kind": "Site",
        "code": f"C{n}",
        "name": "Left hand",
        "position": 900,
    },
    "critical-culture-rules": lambda s, n: {"source": f"SOURCE{n}"},
    "toxicology-substances": lambda s, n: {"name": f"SUBSTANCE {n}", "drugClass": "INVENTED"},
    "toxicology-metabolites": lambda s, n: {
        "parent": s.build_substance("PARENT"),
        "metabolite": s.build_substance("METABOLITE"),
    },
    "toxicology-names": lambda s, n: {
        "name": f"BRAND {n}",
        "ingredient": s.build_substance("INGREDIENT"),
    },
    "toxicology-tests": lambda s, n: {
        "test": s.test,
        "method": "Screen",
        "targets": [s.build_substance("TARGET")],
        "cutOff": "300",
    },
    "reflex-rules": lambda s, n: {
        "code": f"X{n}",
        "test": s.test,
        "condition": "Flag",
        "flags": ["H", "HH"],
        "addedTest": str(s.world.run_sql("SELECT code FROM lab_tests ORDER BY id LIMIT 1")),
        "source": "Invented",
        "isActive": False,
    },
}
