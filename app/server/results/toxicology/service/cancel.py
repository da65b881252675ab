"""Judges toxicology results again after tests were canceled or reinstated (ADR 31)."""

from dataclasses import asdict

from app.basics.clock import get_lab_now
from app.contract.enumerations import Reopening
from app.server.access.work import Work
from app.server.results.entry.loading import load_locked_order
from app.server.results.entry.progress import ShownChange
from app.server.results.toxicology.loading import QUERY, collect_tests
from app.server.results.toxicology.models import ToxicologyAssessment
from app.server.results.toxicology.repository import ToxicologyRepository
from app.server.results.toxicology.service.assess import Assessment, assess_results
from app.server.results.toxicology.service.release import get_released, store_assessment


async def judge_again(work: Work, order_id: int) -> None:
    """Store the verdicts of an order whose tests this transaction has changed, if they differ.

    The verdict on a medication does not wait for the result of a canceled test, but waits for it
    again after the test is reinstated. An order without a release has no verdicts.
    """
    repository = work.build_repository(ToxicologyRepository)
    stored = (await repository.load_assessments([order_id])).get(order_id)
    if stored is None:
        return
    entry = await load_locked_order(work, order_id, QUERY)
    tests = collect_tests(entry)
    assessment = assess_results(entry, tests, get_released)
    if _is_same(stored, assessment):
        return
    now = get_lab_now(work.portal.settings.time_zone)
    store_assessment(work, entry, tests, assessment, ShownChange(Reopening.VERDICT, now))


def _is_same(stored: ToxicologyAssessment, assessment: Assessment) -> bool:
    stored_verdicts = [{**verdict, "tests": tuple(verdict["tests"])} for verdict in stored.verdicts]
    return (stored.specimen_fault, stored_verdicts) == (
        assessment.specimen_fault,
        [asdict(verdict) for verdict in assessment.verdicts],
    )
