"""Names of the jobs of transmissions."""

DELIVER = "transmissions.deliver"
FOLLOW = "transmissions.follow"
