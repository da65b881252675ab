"""Labels and PDF reports: loads the data and draws it with ``app.drawing``."""
