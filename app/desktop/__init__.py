"""The desktop host: a window and a local sidecar that touches the workstation.

It prints labels, keeps credentials, opens windows and documents, and relays every data call to
the hosted portal. It knows no database: nothing here imports SQLAlchemy, psycopg or ``app.server``.
"""
