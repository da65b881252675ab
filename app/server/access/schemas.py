"""The base of HTTP shapes: camelCase on the wire, snake_case in the house."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Shape(BaseModel):
    """A request or response body."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, from_attributes=True, extra="ignore"
    )


class Named(Shape):
    """An id with a name."""

    id: int
    name: str
