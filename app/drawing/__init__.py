"""Labels and pages from plain data: no database, no clock, no request.

``labels`` draws specimen labels for printers and screens, ``pages`` draws PDF documents. The only
files ever opened are the three typefaces of this package.
"""
