"""Autoverification: rules that release results automatically, and their try-out (ADR 50)."""
