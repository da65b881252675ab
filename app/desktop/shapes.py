"""The base of the device routes' HTTP shapes."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Shape(BaseModel):
    """camelCase on the wire; unknown fields are a 400, so that a typing slip is not lost."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True
    )
