"""Labels and PDF reports: gathers the data, calls ``app.drawing``."""
