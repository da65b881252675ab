"""Relays every data call of a window to the hosted portal and adds the credential."""
