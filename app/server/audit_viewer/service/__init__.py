"""Reading the audit log, its export, and the access report of a patient."""
