"""The rows that can be exported."""

from app.server.order_search.service.export import ORDERS

SOURCES = (ORDERS,)
