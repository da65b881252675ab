"""The desktop host: windows, and a local sidecar with access to the workstation.

The sidecar prints labels, stores credentials, opens windows and documents, and relays every data
call to the hosted portal. It has no database: nothing here imports SQLAlchemy, psycopg, or
``app.server``.
"""
