"""The lab's settings: name and address, logo, and flags of result entry."""
