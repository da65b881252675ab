"""``python -m tests.torture --minutes 10``: kill parts of a site under load, and report."""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.torture.run import Outcome, Plan, run_plan
from tests.torture.site import run_site

_REPORT = Path(__file__).parents[2] / "test-results" / "torture.txt"


def main() -> int:
    """Run for the given time, and return 0 if nothing was lost, doubled, partial, or wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--teams", type=int, default=4, help="nurses who work at the same time")
    parser.add_argument("--seed", type=int, default=1, help="chooses what is killed")
    options = parser.parse_args()
    plan = Plan(options.teams, acts_between=40, seconds=options.minutes * 60, seed=options.seed)
    with tempfile.TemporaryDirectory(prefix="portal-torture-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        say("starting the site")
        with run_site(folder) as site:
            outcome = asyncio.run(run_plan(plan, site, say))
    text = render_report(outcome)
    _REPORT.parent.mkdir(exist_ok=True)
    _REPORT.write_text(text)
    sys.stdout.write(text)
    return 0 if outcome.is_clean else 1


def say(text: str) -> None:
    """Print what happens, at once."""
    sys.stdout.write(f"  {text}\n")
    sys.stdout.flush()


def render_report(outcome: Outcome) -> str:
    """Render the report: figures first, then every finding in words."""
    ledger, verdict = outcome.ledger, outcome.verdict
    kills = ", ".join(f"{count} {name}" for name, count in sorted(outcome.kills.items()))
    figures = {
        "seconds": f"{outcome.seconds:.0f}",
        "kills": f"{outcome.kills.total()} ({kills})",
        "cases": str(len(ledger.cases)),
        "acknowledged": str(ledger.acknowledged_count),
        "repeated": f"{ledger.repeat_count} requests, {ledger.replay_count} got the stored answer",
        "abandoned": str(ledger.abandoned_count),
        "asked to wait": f"{ledger.wait_count} times, by a quota",
        "lost": str(len(verdict.lost)),
        "doubled": str(len(verdict.doubled)),
        "partial": str(len(verdict.partial)),
        "wrong answers": str(len(ledger.unexpected)),
        "repeated mails": f"{verdict.repeated_mails} (at most one for each kill of a worker)",
        "undecided mails": f"{verdict.undecided} (interrupted twice, so a person decides)",
    }
    lines = [f"{name:<16}{value}" for name, value in figures.items()]
    findings = [*verdict.lost, *verdict.doubled, *verdict.partial, *ledger.unexpected]
    return "\n".join([*lines, *findings, ""])


if __name__ == "__main__":
    raise SystemExit(main())
