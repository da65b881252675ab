"""Entry says which verdicts a release newly shows, and which readers see already."""

from tests.server.results.toxicology.bench import Bench


def list_new(entry: dict) -> list[str]:
    """List the reasons of the verdicts that readers do not see yet."""
    return [verdict["why"] for verdict in entry["verdicts"] if not verdict["isShown"]]


def list_new_criticals(entry: dict) -> list[str]:
    """List the drugs that a release would newly report as critical."""
    return [
        verdict["name"]
        for verdict in entry["verdicts"]
        if verdict["isCritical"] and not verdict["isShown"]
    ]


async def test_a_critical_drug_is_new_only_until_its_release(bench: Bench) -> None:
    await bench.enter(QFEN="50", VCRE="100")
    assert list_new_criticals(await bench.read_entry()) == ["FENTANYL"]
    released_entry = (await bench.release()).json()
    assert list_new(released_entry) == []
    # Another result changes nothing about fentanyl.
    await bench.enter(QOXA="150")
    entry = await bench.read_entry()
    assert list_new_criticals(entry) == []
    assert [verdict["name"] for verdict in entry["verdicts"] if verdict["isCritical"]] == [
        "FENTANYL"
    ]
    assert any("OXAZEPAM" in why for why in list_new(entry))
    assert not any("FENTANYL" in why for why in list_new(entry))


async def test_a_changed_verdict_is_new_and_the_earlier_one_gone(bench: Bench) -> None:
    await bench.publish(QFEN="50", VCRE="100")
    [why] = [row["rxVerification"] for row in await bench.read("unexpected-positive-results")][:1]
    assert (await bench.read_entry())["goneVerdicts"] == []
    await bench.enter(QFEN={"result": "0", "reasonCode": "TRANSCRIPTION"})
    entry = await bench.read_entry()
    assert entry["goneVerdicts"] == [why]
    assert list_new_criticals(entry) == []
    assert (await bench.release()).status_code == 200
    assert (await bench.read_entry())["goneVerdicts"] == []
