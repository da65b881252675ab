"""A new password for somebody who forgot the old one, by a link in an e-mail (P 2, P 8)."""
