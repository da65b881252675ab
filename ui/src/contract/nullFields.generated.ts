// Generated from shared/ by `npm run contract`; do not edit.

export const nullFields = {
  "RequisitionRead": {
    "comments": null,
    "cancelComment": null,
    "canceledAt": null,
    "canceledByName": null,
    "signature": null,
    "physicianId": null,
    "physician": null,
    "orderId": null,
    "orderCode": null
  },
  "RequisitionsRow": {
    "patientBirthDate": null,
    "room": null,
    "bed": null,
    "orderId": null
  }
} as const;
