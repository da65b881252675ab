"""The permission that the menu evaluates."""

from app.server.access.acts import Act
from app.server.operations.rules import judge_operating

ACTS = (Act("openOperations", judge_operating),)
