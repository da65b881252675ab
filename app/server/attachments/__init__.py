"""Files that people attach to records: what is taken, under which name, and where bytes live."""
