"""Labels and pages from plain data: no database, no clock, no request.

``labels`` draws specimen labels for printers and screens, ``pages`` draws PDF documents. The only
files ever opened are the two typefaces of this package.
"""
