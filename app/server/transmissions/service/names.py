"""Names of the slice's jobs."""

DELIVER = "transmissions.deliver"
FOLLOW = "transmissions.follow"
