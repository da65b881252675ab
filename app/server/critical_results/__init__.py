"""Released critical results, and whom at the client the lab has told of them."""
