"""Addresses and their zip codes."""

ADDRESS_REQUIRED = "Address is required"
ZIP_CODE_REQUIRED = "ZipCode is required"
ZIP_CODE_INVALID = "Zip code must be 5 digits"
ZIP_CODE_UNKNOWN = "ZipCode {code} was not found"
ZIP_CODE_PLUS4_UNAVAILABLE = "Zip plus 4 could not be looked up. Please type it."
ZIP_CODE_PLUS4_INVALID = "Zip plus 4 must be 4 digits"
