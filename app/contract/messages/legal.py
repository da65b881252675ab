"""Help, the notice of privacy practices, and the terms (P 2, ADR 64)."""

HELP_NONE = "No help page has these words. Try fewer, or write to the lab."
LEGAL_CHANGED = "A newer version is in force. Please read it again."
LEGAL_STEP_TITLE = "Before you continue"
LEGAL_STEP_TEXT = (
    "Please read the notice of privacy practices and the terms of {lab}. They are new, or have "
    "changed since you last accepted them."
)
LEGAL_STEP_CHECK = (
    "I have received the Notice of Privacy Practices and accept the Terms & Conditions"
)
