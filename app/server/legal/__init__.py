"""The notice of privacy practices and the terms: who has accepted which version (ADR 64)."""
