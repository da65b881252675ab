"""Released critical results, and the people at the client that the lab has notified."""
