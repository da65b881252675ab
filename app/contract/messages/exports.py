"""Exports of rows to files, and the Result Export screen."""

EXPORT_REQUESTED = "The export has started"
EXPORT_CANCELED = "The export was canceled"
EXPORT_REMOVED = "The export was deleted"
EXPORT_NONE = "You have no exports yet"
EXPORT_NOTHING_TO_EXPORT = "No released results match these filters"
EXPORT_KEPT_UNTIL = "Kept until {date}"
EXPORT_EXPIRED = "This file was kept for {days} days and is no longer available. Export again."
EXPORT_NOT_READY = "This export has no file. Wait until it is done, or export again."
EXPORT_FILE_LOST = "The file of this export can no longer be found. Export again."
EXPORT_ACCESS_CHANGED = "Your access has changed since this export was made. Export again."
EXPORT_ACCESS_WITHDRAWN = "Stopped, because your access was withdrawn. Sign in again to export."
EXPORT_TOO_MANY_ROWS = (
    "There are more than {max} rows, more than one file can hold. "
    "Choose fewer days, clients, or tests."
)
EXPORT_STORE_FAILED = "The file could not be stored. Please export again later."
EXPORT_OUTDATED = (
    "This search can no longer be exported, because your access or the portal has changed. "
    "Search and export again."
)
EXPORT_TOO_SLOW = "This search takes too long to export. Add dates or a client, and export again."
EXPORT_INTERRUPTED = "The export was interrupted several times. Please export again later."
EXPORT_TROUBLE = "Something went wrong while exporting. Please export again later."
EXPORTS_UNFINISHED = (
    "You have {max} exports that are not finished. Wait until one is done, or cancel one."
)
EXPORT_ALREADY_ENDED = "This export has already ended"
EXPORT_STILL_RUNNING = "Cancel this export before you delete it"
EXPORT_CELL_SHORTENED = " [shortened: the whole text is in the portal]"
EXPORT_TOO_MANY_CLIENTS = "At most {max} clients can be chosen"
EXPORT_TOO_MANY_TESTS = "At most {max} tests can be chosen"
EXPORT_COUNT = "{rows} from {orders}"
EXPORT_COUNT_CAPPED = "More than {rows} from {orders}"
EXPORT_FIRST_ROWS = "The first {count} are shown."
EXPORT_PROGRESS = "{written} of {expected}"
EXPORT_COUNTING = "Counting the rows…"
EXPORT_WAITING = "Waiting to start"
EXPORT_CONFIDENTIAL = (
    "The file contains patients' results. Store it where only people who may read them can open it."
)
