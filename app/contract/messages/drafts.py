"""Drafts of requisitions."""

DRAFT_FOUND = "You have an unsaved draft from {when}."
DRAFT_FOUND_OLDER = "You have an unsaved draft from {when}, older than the saved requisition."
DRAFT_OF_ANOTHER_PATIENT = "This draft was started for {before}. It continues for {now}."
DRAFT_KEPT = "Your unsaved requisition is stored as a draft. Open its form again to continue."
CONTENT_TOO_DEEP = "The content is nested too deeply"
DRAFT_NOT_STORED = "Your unsaved changes could not be stored, so this page stays open. Try again."
DRAFT_NOT_KEPT = (
    "Your latest changes could not be stored as a draft. Save them before you leave this page."
)
