"""The property list (``Info.plist``) of the app on macOS; ``build.spec`` uses it there."""

from typing import Any

BUNDLE_IDENTIFIER = "lab.portal.LabPortal"

INFO_PLIST: dict[str, Any] = {
    "CFBundleDisplayName": "Lab Portal",
    "CFBundleName": "Lab Portal",
    "CFBundleURLTypes": [
        {
            "CFBundleURLName": BUNDLE_IDENTIFIER,
            "CFBundleURLSchemes": ["labportal"],
            "CFBundleTypeRole": "Viewer",
        }
    ],
    "LSApplicationCategoryType": "public.app-category.medical",
    "LSMinimumSystemVersion": "12.0",
    "LSMultipleInstancesProhibited": True,
    "NSHighResolutionCapable": True,
    "NSHumanReadableCopyright": "The maintainers of the lab portal",
    "NSLocalNetworkUsageDescription": "Lab Portal prints labels on printers in your network.",
    "NSMicrophoneUsageDescription": "Lab Portal records the comments that you dictate.",
    "NSRequiresAquaSystemAppearance": False,
}
