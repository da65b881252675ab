"""Unsaved work that is offered again."""

DRAFT_FOUND = "You have an unsaved draft from {when}."
DRAFT_OF_ANOTHER_PATIENT = "The draft was made for {before}. It goes on for {now}."
DRAFT_KEPT = "Your unsaved requisition is kept: it is offered when you open its form again."
CONTENT_TOO_DEEP = "The content is nested too deeply"
