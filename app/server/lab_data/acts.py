"""Permissions about the data of the lab that the interface evaluates."""

from app.server.access.acts import Act
from app.server.lab_data import rules

ACTS = (Act("openLabData", rules.judge_reading),)
