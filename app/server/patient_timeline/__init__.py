"""What has happened to a patient, and for them."""
