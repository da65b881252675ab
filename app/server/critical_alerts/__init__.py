"""Alerts contacts of clients to critical results by e-mail, one after another."""
