"""Advanced order search: conditions on any column, joined with and / or, and saved searches."""
