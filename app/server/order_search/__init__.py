"""Advanced order search: conditions on any column, joined by and / or, and saved searches."""
