"""Lists ('remote operations'): page, sort, filter and count in one SQL statement."""
