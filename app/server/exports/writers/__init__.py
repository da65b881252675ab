"""Writers of files: CSV and XLSX, row by row in bounded memory."""
