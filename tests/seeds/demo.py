"""The demo lab of the tests."""

from datetime import date

from seeds.demo import DemoLab
from seeds.demo.records import DemoOrder, DemoRequisition

AS_OF = date(2026, 11, 21)


def list_orders(lab: DemoLab) -> list[tuple[DemoRequisition, DemoOrder]]:
    return [
        (requisition, requisition.order)
        for requisition in lab.requisitions
        if requisition.order is not None
    ]
