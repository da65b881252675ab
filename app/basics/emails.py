"""E-mail addresses."""

from unicodedata import category


def is_valid_email(text: str) -> bool:
    """Whether the text is one e-mail address whose domain has a dot.

    Rejects spaces, separators, and all characters that a mail program could read as the end of
    the address or line, or as a group ('name: address').
    """
    parts = text.split("@")
    labels = parts[-1].split(".")
    return (
        len(parts) == 2
        and bool(parts[0])
        and len(labels) > 1
        and all(labels)
        and not any(c in ',:;<>()[]"\\' for c in text)
        # Spaces and line breaks of every script, and control and invisible characters.
        and not any(category(c)[0] in ("C", "Z") for c in text)
    )
