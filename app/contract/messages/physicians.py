"""Physicians."""

PHYSICIAN_REQUIRED = "Physician is required"
NPI_INVALID = "NPI is invalid"
