// Generated from shared/ by `npm run contract`; do not edit.

export const boundedSorts: Readonly<Record<string, readonly string[]>> = {
  "/api/v2/billing-information/bill-types/remote-operations": [
    "position"
  ],
  "/api/v2/tests/remote-operations": [
    "name"
  ],
  "/api/v2/clients/remote-operations": [
    "name"
  ],
  "/api/v2/physicians/remote-operations": [
    "firstName"
  ],
  "/api/v2/requisitions/remote-operations": [
    "patientLastName",
    "patientFirstName",
    "patientBirthDate",
    "clientName",
    "unit",
    "roomAndBed",
    "tests",
    "hasSignature",
    "status"
  ],
  "/api/v2/orders/remote-operations": [
    "orderDate",
    "patientLastName",
    "patientFirstName",
    "patientDoB",
    "client",
    "unit",
    "roomAndBed",
    "testNames",
    "status",
    "priority",
    "hasAlert",
    "hasAbnormal",
    "hasSignature",
    "acknowledgedBy",
    "onlineAckDateTime"
  ],
  "/api/v2/tests/advanced-search": [
    "name"
  ],
  "/api/v2/clients/advanced-search-clients": [
    "name"
  ],
  "/api/v2/orders/advanced-search": [
    "status",
    "receivedDate",
    "lastName",
    "firstName",
    "birthDate",
    "client",
    "unit",
    "hasAlert",
    "hasAbnormal",
    "signed",
    "acknowledgedDate"
  ],
  "/api/v2/clients/{client_id}/units/remote-operations": [
    "name"
  ],
  "/api/v2/clients/{client_id}/rooms/remote-operations": [
    "name"
  ],
  "/api/v2/clients/units/{unit_id}/rooms/remote-operations": [
    "name"
  ]
};
