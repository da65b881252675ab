"""The property list of the app on macOS, checked as far as another system can."""

import plistlib
from pathlib import Path

from lab_packaging.macos import BUNDLE_IDENTIFIER, INFO_PLIST

ROOT = Path(__file__).parents[2]


def test_bundle_information_is_a_property_list() -> None:
    assert plistlib.loads(plistlib.dumps(INFO_PLIST)) == INFO_PLIST


def test_opens_the_links_of_the_product() -> None:
    schemes = [kind["CFBundleURLSchemes"] for kind in INFO_PLIST["CFBundleURLTypes"]]
    assert schemes == [["labportal"]]
    metainfo = (ROOT / "packaging" / "linux" / "lab-portal.metainfo.xml").read_text()
    assert f"<id>{BUNDLE_IDENTIFIER}</id>" in metainfo


def test_says_why_it_asks_for_the_microphone() -> None:
    assert "record" in str(INFO_PLIST["NSMicrophoneUsageDescription"])
