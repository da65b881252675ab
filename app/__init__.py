"""The lab portal: one codebase, two hosts (the hosted portal and the desktop app)."""
