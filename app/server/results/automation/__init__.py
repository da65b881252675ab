"""Autoverification: rules by which results go out by themselves, and their try-out (ADR 50)."""
