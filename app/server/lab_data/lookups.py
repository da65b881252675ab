"""Records that the fields of lab data refer to, each by a unique text."""

from app.server.lab_data.kind import Lookup

LOOKUPS = {
    "antibiotics": Lookup("antibiotics", "k.code", "k.name", column="code", offered="k.active"),
    "bill-types": Lookup("bill_types", "k.name", offered="k.active"),
    "clients": Lookup("clients", "k.code", "k.name"),
    "containers": Lookup("containers", "k.name", column="name"),
    "diagnoses": Lookup("diagnoses", "k.code", "k.description"),
    "lab-tests": Lookup("lab_tests", "k.code", "k.name"),
    "organisms": Lookup("organisms", "k.code", "k.name", column="code", offered="k.active"),
    "physicians": Lookup("physicians", "k.npi", "k.last_name || ', ' || k.first_name"),
    "substances": Lookup(
        "toxicology_substances", "k.name", "k.drug_class", column="name", offered="k.active"
    ),
    "supply-categories": Lookup("supply_categories", "k.name", offered="k.active"),
    "units": Lookup(
        "units",
        "(SELECT c.code FROM clients c WHERE c.id = k.client_id) || ' / ' || k.name",
        offered="k.active",
    ),
    "zip-codes": Lookup("zip_codes", "k.code", "k.city || ', ' || k.state"),
}
