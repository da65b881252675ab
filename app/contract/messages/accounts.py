"""Sign-in and session (P 3, P 5)."""

USER_INFORMATION_UPDATED = "The user information has been update."
IDLE_WARNING = "You will be logged out in {seconds} seconds!"
LOGIN_PROMPT = "Use your credentials to login"
CAPS_LOCK_ON = "Caps-lock is on"
INCORRECT_CREDENTIALS = "Incorrect email and/or password."
INVALID_PASSWORD = "Invalid password."
SESSION_EXPIRED = "Your session expired. You must login to continue."
SIGNED_OUT_ELSEWHERE = "You were signed out in another window."
IDLE_LOGGED_OUT = (
    "You were logged out after {minutes} minutes without activity. "
    "Log in to continue where you were."
)
SESSION_EXPIRED_GRID = "Your session has expired."
TOO_MANY_TRIES = "Too many attempts. Please wait {wait} and try again."
REAUTHENTICATION_REQUIRED = "Please enter your password again to continue."
USER_UPDATE_FAILED = "There was a problem updating the user information."
NEW_PASSWORD_INVALID = "The new password is invalid"
NEW_PASSWORD_COMMON = (
    "This password is easy to guess. Please choose another one, for example three words with a "
    "digit and a symbol between them."
)
NEW_PASSWORD_PERSONAL = (
    "Please choose a password without your name, the name in your e-mail address, or the lab's "
    "name."
)
RECOVERY_EMAIL_UNKNOWN = "There is not any user registered with the introduced email"
RECOVERY_LINK_INVALID = (
    "This link is no longer valid: links work once and for a short time. Please request a new one."
)
RECOVERY_TIPS = (
    "Enter the e-mail address of your account. We will send you a link with which you can choose a "
    "new password."
)
RECOVERY_SENT = (
    "Please check your e-mail and click the link in it. The link is valid for {minutes} minutes."
)
NEW_PASSWORD_TITLE = "Choose your password"
NEW_PASSWORD_TIPS = (
    "At least {length} characters, with a digit and one of the symbols {symbols}. Use only "
    "letters, digits, and these symbols."
)
NEW_PASSWORD_REQUIRED = "New Password is required"
NEW_PASSWORD_SAVED = "Your new password is saved. Use it to login."
RECOVERY_EMAIL_SUBJECT = "{lab}: your new password"
RECOVERY_EMAIL_TEXT = (
    "Somebody asked for a new password for your account at {lab}. Open this link within {minutes} "
    "minutes to choose one:\n\n{link}\n\n"
    "If it was not you, ignore this e-mail. Your password stays as it is.\n"
)
PASSWORD_REQUIRED = "Password is required"
OLD_PASSWORD_REQUIRED = "Old Password is required"
SIGNATURE_SAVED = "Your signature is saved. The signing dialogs offer it."
SIGNATURE_REMOVED = "Your signature is removed."
SESSIONS_ENDED = "All other sessions are signed out."
SESSION_ENDED = "The session is signed out."
SECOND_FACTOR_CODE_REQUIRED = "Code is required"
SECOND_FACTOR_REQUIRED = (
    "Enter the code of your authenticator app. Without the app, enter one of your recovery codes."
)
SECOND_FACTOR_CODE_INVALID = (
    "The code is not valid. Codes work once: enter the one that the app shows now."
)
SECOND_FACTOR_SETUP_REQUIRED = (
    "The lab requires a second factor for your role. Set it up to continue."
)
SECOND_FACTOR_ON_ALREADY = "The second factor is already on. Turn it off to set it up again."
SECOND_FACTOR_NOT_STARTED = "Please begin the setup again."
SECOND_FACTOR_ABOUT = (
    "With a second factor, sign-in and signing ask for a code of an authenticator app besides your "
    "password, so that a stolen password is not enough."
)
SECOND_FACTOR_SCAN = (
    "Scan the picture with an authenticator app, or type the key into it. Then enter the code that "
    "the app shows."
)
SECOND_FACTOR_CODES_TIPS = (
    "Store these recovery codes where you can find them without your phone. Each replaces a code "
    "of the app once. They are not shown again."
)
SECOND_FACTOR_CODES_LEFT = "{count} of {total} recovery codes are left."
SECOND_FACTOR_TURNED_ON = "The second factor is on. Your other sessions are signed out."
SECOND_FACTOR_TURNED_OFF = "The second factor is off."
