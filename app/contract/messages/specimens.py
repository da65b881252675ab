"""Specimens: reception, rejection, conditions (R 2.2; DECISIONS, Ordering)."""

SPECIMENS_SAVED = "Specimens saved"
TUBES_RECEIVED = "Received as order {code}: {tubes} of {due} tubes."
CLIENT_TO_CALL = "{client} cannot be notified of the rejected specimen by e-mail. Please call them."
TUBES_OF_ONE_REQUISITION = "Tubes can be chosen for one requisition at a time"
TUBE_UNKNOWN = "The order needs no tube with this number"
CONDITION_UNKNOWN = "Choose conditions from the list"
COLLECTION_SITE_UNKNOWN = "Choose a collection site from the list"
