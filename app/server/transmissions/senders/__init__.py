"""Senders of e-mails and faxes: one protocol and its implementations."""
