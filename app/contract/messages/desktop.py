"""The workstation: printers, windows and preferences of the desktop app."""

PRINT_CLIENT_NOT_RUNNING = (
    "Printer Client App is not running. Restart app to use feature or download it. "
    "Would you like to be redirected to download site?"
)
PRINT_CLIENT_NOT_RUNNING_TITLE = "Download Confirmation"
PRINTER_UNREACHABLE = "{printer} does not answer. Check that it is switched on and connected."
PRINTER_TIMED_OUT = "{printer} stopped accepting data. The labels may be incomplete."
PRINTER_NOT_READY = "{printer} is not ready: {reasons}. Nothing was printed."
PRINTER_STOPPED = "{printer} stopped printing: {reasons}."
PRINTER_PAPER_OUT = "out of labels"
PRINTER_RIBBON_OUT = "out of ribbon"
PRINTER_HEAD_OPEN = "the head is open"
PRINTER_PAUSED = "paused"
PRINTER_JAM = "labels are jammed"
PRINTER_OFFLINE = "offline"
PRINTER_QUEUE_STOPPED = "its queue is stopped"
PRINTER_QUEUE_CLOSED = "its queue accepts no jobs"
PRINTER_TOO_HOT = "the head is too hot"
PRINTER_TOO_COLD = "the head is too cold"
PRINTER_ERROR = "it reports an error"
PRINTER_STANDS_STILL = "it makes no progress"
PRINT_JOB_HELD = "the job is held"
PRINT_JOB_CANCELED = "Somebody canceled the job in the queue of {printer}."
PRINT_JOB_ABORTED = "The print system aborted the job for {printer}. Check its queue and its log."
PRINT_JOB_FORGOTTEN = (
    "CUPS has forgotten the job for {printer}, so the label may have printed. Set "
    "'PreserveJobHistory Yes' in cupsd.conf."
)
PRINT_SYSTEM_SILENT = "the print system does not answer"
PRINT_APP_ENDED = "The app ended while it printed."
LABELS_STILL_PRINT = (
    "Labels are still printing. If this is the last window, the others are not printed. "
    "Do you want to close it?"
)
PRINTER_WAITS = "{printer}: {reasons}"
PRINTER_REMOVAL = "{printer} will be removed from this workstation. Its settings are lost."
PRINTER_CHANGED = "Changed by {person}, {time}"
PRINTER_SETTINGS_CHANGED = "Changed by {person}, {time}: {settings}"
PRINTER_SEARCH_EMPTY = "No other label printer answers. Add it by its address."
PRINTER_TELLS_NOTHING = "The printer does not say what it is. Choose language and density yourself."
PRINTER_SETTINGS_OF_IMAGES = "Images have no speed, darkness, or offset: set them at the printer."
PRINTER_SETTINGS_OF_EPL = "EPL moves labels to the right and down only."
PRINTERS_HINT = "Add a network printer, or set one up in this computer's settings."
TEST_LABEL_SENT = "Test label sent to {printer}"
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
TRAY_SHOW = "Show {app}"
TRAY_NEW_WINDOW = "New window"
TRAY_QUIT = "Quit"
WINDOWS_UNAVAILABLE = "This app cannot open another window"
PORTAL_REDIRECTS = "The portal's address leads elsewhere. Ask your administrator to correct it."

# Why the portal cannot be reached: what is wrong, and what to do.
PORTAL_NOT_LISTENING = "Nothing accepts connections at {address}."
PORTAL_NOT_LISTENING_ADVICE = (
    "The portal may be restarting. If this lasts, check the address, or contact the portal's "
    "administrator."
)
PORTAL_UNKNOWN_HOST = "The name {host} is not known on this network."
PORTAL_UNKNOWN_HOST_ADVICE = (
    "Check the network connection and the address. Outside the lab, connect to its VPN first."
)
PORTAL_NO_ROUTE = "This computer has no connection to {host}."
PORTAL_NO_ROUTE_ADVICE = "Check the network cable or the Wi-Fi, and the VPN if you use one."
PORTAL_TIMEOUT = "{address} does not answer."
PORTAL_TIMEOUT_ADVICE = (
    "The portal may be overloaded, or a firewall blocks the connection. "
    "If this lasts, contact the portal's administrator."
)
PORTAL_UNTRUSTED = (
    "The certificate of {host} is from an authority that this computer does not know."
)
PORTAL_UNTRUSTED_ADVICE = (
    "Somebody may be intercepting the connection, so nothing is sent. If the lab has its own "
    "authority, ask an administrator to install it on this computer."
)
PORTAL_WRONG_NAME = "The certificate that answers for {host} belongs to another name."
PORTAL_WRONG_NAME_ADVICE = (
    "Nothing is sent. Check the address; the portal's name must be written as in its certificate."
)
PORTAL_EXPIRED = "The certificate of {host} is not valid today."
PORTAL_EXPIRED_ADVICE = (
    "Check this computer's date and time. If they are right, the portal's administrator "
    "must renew its certificate."
)
PORTAL_TLS = "{address} does not speak HTTPS."
PORTAL_TLS_ADVICE = "Check the port in the address; it must be the portal's port for HTTPS."
PORTAL_PROXY = "The proxy {proxy} cannot be reached."
PORTAL_PROXY_ADVICE = "Check the network connection, and the proxy in this computer's settings."
PORTAL_PROXY_TIMEOUT = "The proxy {proxy} does not answer."
PORTAL_PROXY_TIMEOUT_ADVICE = (
    "Check the network connection, and the proxy in this computer's settings. Outside the lab, "
    "connect to its VPN first."
)
PORTAL_PROXY_REJECTS = "The proxy {proxy} does not connect to {host}."
PORTAL_PROXY_REJECTS_ADVICE = (
    "The portal may be down, or the proxy does not allow it. Contact your network's administrator."
)
PORTAL_PROXY_SIGN_IN = "The proxy {proxy} asks for a name and a password."
PORTAL_PROXY_SIGN_IN_ADVICE = (
    "An administrator sets them in the proxy's address (http://name:password@proxy:port)."
)
PORTAL_PROXY_UNTRUSTED = (
    "The certificate of the proxy {proxy} is from an authority that this computer does not know."
)
PORTAL_PROXY_UNTRUSTED_ADVICE = (
    "Nothing is sent. If the proxy has its own authority, ask an administrator to install it on "
    "this computer."
)
PORTAL_PROXY_WRONG_NAME = (
    "The certificate that answers for the proxy {proxy} belongs to another name."
)
PORTAL_PROXY_WRONG_NAME_ADVICE = (
    "Nothing is sent. The proxy's name must be written as in its certificate, in this computer's "
    "settings."
)
PORTAL_PROXY_EXPIRED = "The certificate of the proxy {proxy} is not valid today."
PORTAL_PROXY_EXPIRED_ADVICE = (
    "Check this computer's date and time. If they are right, your network's administrator "
    "must renew the proxy's certificate."
)
PORTAL_PROXY_TLS = "The proxy {proxy} does not speak HTTPS."
PORTAL_PROXY_TLS_ADVICE = (
    "Check the proxy in this computer's settings; most are named with http:// and their port."
)
PORTAL_BROKEN = "The connection to {address} was interrupted."
PORTAL_BROKEN_ADVICE = (
    "Something between this computer and the portal may block it. If this lasts, contact "
    "your network's administrator."
)
PORTAL_STARTING = "The portal at {address} is not ready."
PORTAL_STARTING_ADVICE = "It is being started or maintained. This page continues when it is ready."
PORTAL_LEADS_ELSEWHERE = "{address} leads elsewhere."
PORTAL_LEADS_ELSEWHERE_ADVICE = (
    "On a guest network, sign in to the network with a browser first. "
    "Otherwise, correct the address."
)
PORTAL_WRONG_PRODUCT = "What answers at {address} is not a lab portal."
PORTAL_WRONG_PRODUCT_ADVICE = (
    "Check the address, which usually ends with the host's name or a port, as in "
    "https://portal.example. On a guest network, sign in to the network with a browser first."
)
PORTAL_NOT_CHOSEN = "This app does not know its portal yet."
PORTAL_NOT_CHOSEN_ADVICE = "Enter the portal's address. Your lab or your administrator has it."
PORTAL_RETRIES = "The app tries again every {seconds} seconds and continues automatically."

# What is wrong with the settings; also shown on the command line.
SETTINGS_ADVICE = "Correct the setting, then try again. Until then, the app connects to no portal."
SETTINGS_FILE_BROKEN = (
    "{file} cannot be read: line {line}, column {column} is not valid JSON. "
    "Look for a stray or missing comma, quotation mark or bracket."
)
SETTINGS_FILE_NO_OBJECT = "{file} must contain one JSON object, in braces."
SETTINGS_FILE_UNREADABLE = "{file} cannot be opened: {reason}."
SETTINGS_FILE_NOT_WRITTEN = "{file} cannot be changed: {reason}."
SETTINGS_FOLDER_UNUSABLE = (
    "Lab Portal cannot store its settings in {folder}: {reason}. "
    "Check the folder's owner and rights, and the space on the disk."
)
SETTING_UNKNOWN = "{file} has a setting that does not exist: {name}."
SETTING_UNKNOWN_LIKE = "{file} has a setting that does not exist: {name}. Is it {like}?"
SETTING_INVALID = "{file}: {name} must be {expected}."
SETTING_PROXY_INVALID = (
    "This is not the address of a proxy, as in http://proxy:3128 or socks5://proxy:1080: {value}"
)
SETTING_AUTHORITY_INVALID = "{file} has no certificate of an authority in PEM format."
PORTAL_ADDRESS_NO_HTTPS = "The portal's address must begin with https://: {value}"
PORTAL_ADDRESS_HTTP = "The portal's address must begin with https://, not http://: {value}"
PORTAL_ADDRESS_PARTS = "The portal's address may contain a host, a port, and a path only: {value}"
PORTAL_ADDRESS_INVALID = "The host in the portal's address is not valid: {value}"
PORTAL_ADDRESS_PORT = "The port in the portal's address must be a number up to 65535: {value}"
PORTAL_ADDRESS_FIXED = (
    "{origin} asks for {value}, but {source} sets the portal of this computer: {url}."
)
APP_RUNS_ALREADY = (
    "Lab Portal is already running for you, but its window does not open. "
    "Close it, or sign out of this computer, and start it again."
)
PORTAL_NOT_REMOVABLE = "This portal is in use, or the settings of this computer list it"
PORTAL_FIXED = "The portal cannot be changed here; {source} sets it."
PORTAL_CHOICE_PROMPT = "Enter the address of your lab's portal, or choose one."
CREDENTIALS_NOT_STORED = (
    "This computer has no working keyring, so you will sign in again when the app restarts."
)
PAGE_DIES = (
    "The page of this window keeps crashing. Close the window and open another. "
    "If that fails too, restart the computer."
)
LICENSES_IN_PACKAGES = "The packages of the app contain the notices and licenses of third parties."
WORK_LOST = (
    "The page of this window crashed and was loaded again. What was not saved is lost. "
    "Requisitions have drafts: open the form again to continue yours."
)
SIDECAR_DIES = (
    "A part of Lab Portal keeps crashing. Until it runs again, nothing can be saved or printed. "
    "OK starts it again, and what you have entered stays on the screen. "
    "Cancel closes Lab Portal, and what is not saved is lost. Log files for support: {folder}"
)
LIBRARIES_MISSING = (
    "The window cannot be opened, because this computer lacks: {libraries}. "
    "Install them (Debian and Ubuntu: sudo apt-get install {packages}) and start the app again."
)
NO_VIEWER = "No program on this computer opens {extension} files, and the file was not saved."
NO_VIEWER_SAVED = "No program on this computer opens {extension} files. It is saved as {name}."
DOCUMENT_NOT_SAVED = "The file could not be saved in {folder}. Choose another folder."
DIAGNOSTICS_COPIED = "Diagnostics copied. They contain no personal data. Log files: {folder}"
APP_OUTDATED = "Version {version} of this app is available. Ask your administrator for it."
