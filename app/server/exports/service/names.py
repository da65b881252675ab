"""Names of the jobs of exports."""

RUN = "exports.run"
SWEEP = "exports.sweep"
