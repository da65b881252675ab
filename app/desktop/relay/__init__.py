"""Every data call of the window goes through here to the hosted portal, with its credential."""
