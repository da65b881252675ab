"""Writes ``icd10.csv.gz`` from ``simple-icd-10-cm``; run it after a new release."""

import csv
import gzip
from io import StringIO

import simple_icd_10_cm as cm

from seeds.reference.files import FOLDER
from seeds.reference.icd10 import FILE


def write_icd10() -> None:
    """Every billable (leaf) code with its description, in code order.

    The package counts blocks without codes of their own ('C00-C75') as leaves, and names a
    category that is a block of one ('B20') twice; neither is two codes.
    """
    codes = {code for code in cm.get_all_codes(with_dots=True) if cm.is_leaf(code)}
    leaves = sorted(code for code in codes if "-" not in code)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("code", "description"))
    writer.writerows((code, cm.get_description(code)) for code in leaves)
    # Without a time stamp the same codes give the same file.
    (FOLDER / FILE).write_bytes(gzip.compress(text.getvalue().encode("utf-8"), 9, mtime=0))


if __name__ == "__main__":
    write_icd10()
