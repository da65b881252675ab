"""The workstation: printers, windows and preferences of the desktop app."""

PRINT_CLIENT_NOT_RUNNING = (
    "Printer Client App is not running. Restart app to use feature or download it. "
    "Would you like to be redirected to download site?"
)
PRINT_CLIENT_NOT_RUNNING_TITLE = "Download Confirmation"
PRINTER_UNREACHABLE = "{printer} does not answer. Check that it is switched on and connected."
PRINTER_TIMED_OUT = "{printer} stopped accepting data. The labels may be incomplete."
PRINTER_UNKNOWN = "The printer is not set up on this workstation"
NO_PRINTERS = "No printer is set up on this workstation"
PRINTER_REFUSED = "{printer} refused the job. Check its print queue, then print again."
PRINTER_ADDRESS_REJECTED = (
    "A printer cannot have this address. Its port is 515, 631, or above 1023, and it is not this "
    "computer. An administrator can allow other addresses."
)
PRINTER_BUILT_IN = "{printer} belongs to this computer; remove it in the computer's settings"
PORTAL_UNREACHABLE = "We have lost communication with our servers!"
FOREIGN_CALLER = "This request did not come from a window of the portal's desktop app"
LAUNCH_CODE_SPENT = "This window could not be opened. Close it and start the app again."
LAUNCH_REQUIRED = "Open the portal with the desktop app"
PATH_NOT_OF_PORTAL = "This is not an address of the portal"
PREFERENCE_KEY_INVALID = "A preference's name has 1 to 64 letters, digits, dots or hyphens"
PREFERENCES_FULL = "There is no room for more preferences on this workstation"
WINDOWS_UNAVAILABLE = "This app cannot open another window"
PORTAL_REDIRECTS = "The portal's address leads elsewhere. Ask your administrator to correct it."
