"""Reference data and the demo lab, as plain data; the server loads them through its own door."""
