"""Cultures and their entry (R 2.2, R 3)."""

CULTURE_SAVED = "Culture saved"
CULTURE_RELEASED_PRELIMINARY = "Preliminary result released"
CULTURE_RELEASED_FINAL = "Final result released"
CULTURE_EMPTY = "{test}: enter a finding or an organism first"
CULTURE_NOT_FINAL = "{test}: '{name}' is not a final result"
CULTURE_RESULT_REQUIRED = "{test}: choose a result"
CULTURE_PRELIMINARY_AFTER_FINAL = (
    "{test}: a final result is released, so a preliminary one cannot follow"
)
CULTURE_TEST_CANCELED = "{test} is canceled"
CULTURE_REASON_REQUIRED = "This changes a released result. Choose a reason"
CULTURE_DATE_INVALID = "Enter a date after 01/01/1900"
CULTURE_DATE_IN_FUTURE = "Enter when the specimen was collected; this time is in the future"
CULTURE_DATE_BEFORE_BIRTH = (
    "Enter when the specimen was collected; this is before the patient's birth"
)
CULTURE_CONTRADICTION = "{finding}, but {organism} is listed. Remove one of the two"
FINDING_TWICE = "{finding}: this finding is entered twice"
ORGANISM_REQUIRED = "Choose the organism of these values first"
ORGANISM_UNKNOWN = "This organism is not in the lab's list"
ORGANISM_QUANTITY_REQUIRED = "{test}, {organism}: enter the quantity"
ANTIBIOTIC_UNKNOWN = "This antibiotic is not in the lab's list"
ANTIBIOTIC_TWICE = "{antibiotic} is entered twice"
ANTIBIOTIC_INCOMPLETE = "{test}, {organism}, {antibiotic}: enter a value or an interpretation"
ANTIBIOTIC_NOT_INTERPRETED = "{test}, {organism}, {antibiotic}: choose an interpretation"
MIC_INVALID = "Enter an MIC such as 4, <=0.5, or >16"
ZONE_INVALID = "Enter a diameter in mm, from 5 to 60"
MARK_CONTRADICTION = (
    "{organism} is marked {mark}, so it is not susceptible to {antibiotic}. Change one of the two"
)
INTRINSICALLY_RESISTANT = "{organism} is intrinsically resistant to {antibiotic}"
CONFIRM_PRELIMINARY = "Release the preliminary result of {test}? Clients will see it immediately."
CONFIRM_FINAL = "Release the final result of {test}? Clients will see it immediately."
CONFIRM_CULTURE_CORRECTION = "It corrects the released culture."
