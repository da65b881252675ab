"""What can go wrong between the window, the workstation and the hosted portal."""

from app.basics.errors import Forbidden, NotFound, Unavailable


class ForeignCaller(Forbidden):
    """403: the call does not come from a page that this sidecar served."""

    code = "foreign_caller"


class LaunchRequired(Forbidden):
    """403: the caller has no launch cookie, so no window of ours made the call."""

    code = "launch_required"


class PortalUnreachable(Unavailable):
    """503: the hosted portal did not answer, or stopped in the middle of an answer."""

    code = "portal_unreachable"


class DocumentUnavailable(Unavailable):
    """503: the portal's document could not be fetched or opened."""

    code = "document_unavailable"


class PrinterUnknown(NotFound):
    """404: no printer of this id is set up on this workstation."""

    code = "printer_unknown"


class PrinterUnreachable(Unavailable):
    """503: nobody took the connection; nothing was printed."""

    code = "printer_unreachable"


class PrinterTimedOut(Unavailable):
    """503: the printer took the connection but not all of the data; labels may be incomplete."""

    code = "printer_timed_out"


class PrinterRefused(Unavailable):
    """503: the workstation's print system gave the job up; nothing more will be printed."""

    code = "printer_refused"


class SettingsError(Exception):
    """The desktop app can not start as it is set up; the text is for the person who started it."""
