"""Writes ``icd10.csv.gz`` from ``simple-icd-10-cm``; run it after a new release."""

import csv
import gzip
from io import StringIO

import simple_icd_10_cm as cm

from seeds.reference.files import FOLDER
from seeds.reference.icd10 import FILE


def write_icd10() -> None:
    """Write all billable (leaf) codes with their descriptions, in code order.

    The package lists two kinds of leaves that are not codes: blocks without codes ('C00-C75'), and
    a second 'B20' for the block that contains only this category. Both are left out.
    """
    codes = {code for code in cm.get_all_codes(with_dots=True) if cm.is_leaf(code)}
    leaves = sorted(code for code in codes if "-" not in code)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("code", "description"))
    writer.writerows((code, cm.get_description(code)) for code in leaves)
    # Without a time stamp, the same codes produce the same bytes.
    (FOLDER / FILE).write_bytes(gzip.compress(text.getvalue().encode("utf-8"), 9, mtime=0))


if __name__ == "__main__":
    write_icd10()
