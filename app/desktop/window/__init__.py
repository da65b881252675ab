"""The app's windows, and what leaves them for the rest of the workstation."""
