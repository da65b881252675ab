// Generated from shared/ by `npm run contract`; do not edit.

export const permissions = {
  "orderTest": {
    "facts": [
      "onList"
    ],
    "answers": {
      "Superuser": {
        "false": null,
        "true": null
      },
      "Laboratory": {
        "false": null,
        "true": null
      },
      "Client Admin": {
        "false": "Test {code} is not on the client's test list",
        "true": null
      },
      "Client Basic": {
        "false": "Test {code} is not on the client's test list",
        "true": null
      },
      "Physician": {
        "false": "Test {code} is not on the client's test list",
        "true": null
      },
      "Patient": {
        "false": "Test {code} is not on the client's test list",
        "true": null
      }
    }
  },
  "openResultEntry": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": null
      },
      "Physician": {
        "": "Result entry is not enabled for your role"
      },
      "Patient": {
        "": "Result entry is not enabled for your role"
      }
    }
  },
  "openLabSettings": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "changeLabSettings": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": "Your role does not allow this."
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "changePatient": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": null
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "createRequisition": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": null
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "changeRequisition": {
    "facts": [
      "status",
      "hasSignature"
    ],
    "answers": {
      "Superuser": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED and cannot be changed",
        "2 true": "Requisition R{number} is CANCELED and cannot be changed",
        "4 false": "Requisition R{number} is DONE and cannot be changed",
        "4 true": "Requisition R{number} is DONE and cannot be changed"
      },
      "Laboratory": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED and cannot be changed",
        "2 true": "Requisition R{number} is CANCELED and cannot be changed",
        "4 false": "Requisition R{number} is DONE and cannot be changed",
        "4 true": "Requisition R{number} is DONE and cannot be changed"
      },
      "Client Admin": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED and cannot be changed",
        "2 true": "Requisition R{number} is CANCELED and cannot be changed",
        "4 false": "Requisition R{number} is DONE and cannot be changed",
        "4 true": "Requisition R{number} is DONE and cannot be changed"
      },
      "Client Basic": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED and cannot be changed",
        "2 true": "Requisition R{number} is CANCELED and cannot be changed",
        "4 false": "Requisition R{number} is DONE and cannot be changed",
        "4 true": "Requisition R{number} is DONE and cannot be changed"
      },
      "Physician": {
        "1 false": "Physicians can change diagnoses and medications until the requisition is signed, and comments, copies and documents.",
        "1 true": "Physicians can change diagnoses and medications until the requisition is signed, and comments, copies and documents.",
        "2 false": "Requisition R{number} is CANCELED and cannot be changed",
        "2 true": "Requisition R{number} is CANCELED and cannot be changed",
        "4 false": "Requisition R{number} is DONE and cannot be changed",
        "4 true": "Requisition R{number} is DONE and cannot be changed"
      },
      "Patient": {
        "1 false": "Your role does not allow this.",
        "1 true": "Your role does not allow this.",
        "2 false": "Your role does not allow this.",
        "2 true": "Your role does not allow this.",
        "4 false": "Your role does not allow this.",
        "4 true": "Your role does not allow this."
      }
    }
  },
  "signRequisition": {
    "facts": [
      "status",
      "hasSignature"
    ],
    "answers": {
      "Superuser": {
        "1 false": null,
        "1 true": "Requisition R{number} is already signed",
        "2 false": "Requisition R{number} is CANCELED and cannot be changed",
        "2 true": "Requisition R{number} is CANCELED and cannot be changed",
        "4 false": null,
        "4 true": "Requisition R{number} is already signed"
      },
      "Laboratory": {
        "1 false": null,
        "1 true": "Requisition R{number} is already signed",
        "2 false": "Requisition R{number} is CANCELED and cannot be changed",
        "2 true": "Requisition R{number} is CANCELED and cannot be changed",
        "4 false": null,
        "4 true": "Requisition R{number} is already signed"
      },
      "Client Admin": {
        "1 false": null,
        "1 true": "Requisition R{number} is already signed",
        "2 false": "Requisition R{number} is CANCELED and cannot be changed",
        "2 true": "Requisition R{number} is CANCELED and cannot be changed",
        "4 false": null,
        "4 true": "Requisition R{number} is already signed"
      },
      "Client Basic": {
        "1 false": null,
        "1 true": "Requisition R{number} is already signed",
        "2 false": "Requisition R{number} is CANCELED and cannot be changed",
        "2 true": "Requisition R{number} is CANCELED and cannot be changed",
        "4 false": null,
        "4 true": "Requisition R{number} is already signed"
      },
      "Physician": {
        "1 false": null,
        "1 true": "Requisition R{number} is already signed",
        "2 false": "Requisition R{number} is CANCELED and cannot be changed",
        "2 true": "Requisition R{number} is CANCELED and cannot be changed",
        "4 false": null,
        "4 true": "Requisition R{number} is already signed"
      },
      "Patient": {
        "1 false": null,
        "1 true": "Requisition R{number} is already signed",
        "2 false": "Requisition R{number} is CANCELED and cannot be changed",
        "2 true": "Requisition R{number} is CANCELED and cannot be changed",
        "4 false": null,
        "4 true": "Requisition R{number} is already signed"
      }
    }
  },
  "receiveRequisition": {
    "facts": [
      "status",
      "hasSignature"
    ],
    "answers": {
      "Superuser": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is canceled and cannot be received",
        "2 true": "Requisition R{number} is canceled and cannot be received",
        "4 false": "Requisition R{number} was already received as order L{number}",
        "4 true": "Requisition R{number} was already received as order L{number}"
      },
      "Laboratory": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is canceled and cannot be received",
        "2 true": "Requisition R{number} is canceled and cannot be received",
        "4 false": "Requisition R{number} was already received as order L{number}",
        "4 true": "Requisition R{number} was already received as order L{number}"
      },
      "Client Admin": {
        "1 false": "Your role does not allow this.",
        "1 true": "Your role does not allow this.",
        "2 false": "Your role does not allow this.",
        "2 true": "Your role does not allow this.",
        "4 false": "Your role does not allow this.",
        "4 true": "Your role does not allow this."
      },
      "Client Basic": {
        "1 false": "Your role does not allow this.",
        "1 true": "Your role does not allow this.",
        "2 false": "Your role does not allow this.",
        "2 true": "Your role does not allow this.",
        "4 false": "Your role does not allow this.",
        "4 true": "Your role does not allow this."
      },
      "Physician": {
        "1 false": "Your role does not allow this.",
        "1 true": "Your role does not allow this.",
        "2 false": "Your role does not allow this.",
        "2 true": "Your role does not allow this.",
        "4 false": "Your role does not allow this.",
        "4 true": "Your role does not allow this."
      },
      "Patient": {
        "1 false": "Your role does not allow this.",
        "1 true": "Your role does not allow this.",
        "2 false": "Your role does not allow this.",
        "2 true": "Your role does not allow this.",
        "4 false": "Your role does not allow this.",
        "4 true": "Your role does not allow this."
      }
    }
  },
  "signOrder": {
    "facts": [
      "status",
      "hasSignature"
    ],
    "answers": {
      "Superuser": {
        "1 false": null,
        "1 true": "Order L{number} is already signed",
        "2 false": null,
        "2 true": "Order L{number} is already signed",
        "4 false": null,
        "4 true": "Order L{number} is already signed",
        "8 false": null,
        "8 true": "Order L{number} is already signed",
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": null,
        "64 true": "Order L{number} is already signed"
      },
      "Laboratory": {
        "1 false": null,
        "1 true": "Order L{number} is already signed",
        "2 false": null,
        "2 true": "Order L{number} is already signed",
        "4 false": null,
        "4 true": "Order L{number} is already signed",
        "8 false": null,
        "8 true": "Order L{number} is already signed",
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": null,
        "64 true": "Order L{number} is already signed"
      },
      "Client Admin": {
        "1 false": null,
        "1 true": "Order L{number} is already signed",
        "2 false": null,
        "2 true": "Order L{number} is already signed",
        "4 false": null,
        "4 true": "Order L{number} is already signed",
        "8 false": null,
        "8 true": "Order L{number} is already signed",
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": null,
        "64 true": "Order L{number} is already signed"
      },
      "Client Basic": {
        "1 false": null,
        "1 true": "Order L{number} is already signed",
        "2 false": null,
        "2 true": "Order L{number} is already signed",
        "4 false": null,
        "4 true": "Order L{number} is already signed",
        "8 false": null,
        "8 true": "Order L{number} is already signed",
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": null,
        "64 true": "Order L{number} is already signed"
      },
      "Physician": {
        "1 false": null,
        "1 true": "Order L{number} is already signed",
        "2 false": null,
        "2 true": "Order L{number} is already signed",
        "4 false": null,
        "4 true": "Order L{number} is already signed",
        "8 false": null,
        "8 true": "Order L{number} is already signed",
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": null,
        "64 true": "Order L{number} is already signed"
      },
      "Patient": {
        "1 false": null,
        "1 true": "Order L{number} is already signed",
        "2 false": null,
        "2 true": "Order L{number} is already signed",
        "4 false": null,
        "4 true": "Order L{number} is already signed",
        "8 false": null,
        "8 true": "Order L{number} is already signed",
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": null,
        "64 true": "Order L{number} is already signed"
      }
    }
  },
  "unsignOrder": {
    "facts": [
      "status",
      "hasSignature"
    ],
    "answers": {
      "Superuser": {
        "1 false": "Order L{number} is not signed",
        "1 true": null,
        "2 false": "Order L{number} is not signed",
        "2 true": null,
        "4 false": "Order L{number} is not signed",
        "4 true": null,
        "8 false": "Order L{number} is not signed",
        "8 true": null,
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": "Order L{number} is not signed",
        "64 true": null
      },
      "Laboratory": {
        "1 false": "Order L{number} is not signed",
        "1 true": null,
        "2 false": "Order L{number} is not signed",
        "2 true": null,
        "4 false": "Order L{number} is not signed",
        "4 true": null,
        "8 false": "Order L{number} is not signed",
        "8 true": null,
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": "Order L{number} is not signed",
        "64 true": null
      },
      "Client Admin": {
        "1 false": "Order L{number} is not signed",
        "1 true": null,
        "2 false": "Order L{number} is not signed",
        "2 true": null,
        "4 false": "Order L{number} is not signed",
        "4 true": null,
        "8 false": "Order L{number} is not signed",
        "8 true": null,
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": "Order L{number} is not signed",
        "64 true": null
      },
      "Client Basic": {
        "1 false": "Order L{number} is not signed",
        "1 true": null,
        "2 false": "Order L{number} is not signed",
        "2 true": null,
        "4 false": "Order L{number} is not signed",
        "4 true": null,
        "8 false": "Order L{number} is not signed",
        "8 true": null,
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": "Order L{number} is not signed",
        "64 true": null
      },
      "Physician": {
        "1 false": "Order L{number} is not signed",
        "1 true": null,
        "2 false": "Order L{number} is not signed",
        "2 true": null,
        "4 false": "Order L{number} is not signed",
        "4 true": null,
        "8 false": "Order L{number} is not signed",
        "8 true": null,
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": "Order L{number} is not signed",
        "64 true": null
      },
      "Patient": {
        "1 false": "Order L{number} is not signed",
        "1 true": null,
        "2 false": "Order L{number} is not signed",
        "2 true": null,
        "4 false": "Order L{number} is not signed",
        "4 true": null,
        "8 false": "Order L{number} is not signed",
        "8 true": null,
        "16 false": "Order L{number} is FINAL, so its signature can no longer change",
        "16 true": "Order L{number} is FINAL, so its signature can no longer change",
        "32 false": "Order L{number} is CANCELED, so its signature can no longer change",
        "32 true": "Order L{number} is CANCELED, so its signature can no longer change",
        "64 false": "Order L{number} is not signed",
        "64 true": null
      }
    }
  },
  "acknowledgeOrder": {
    "facts": [
      "status",
      "isUnreadByPhysician"
    ],
    "answers": {
      "Superuser": {
        "1 false": "Your role does not allow this.",
        "1 true": "Your role does not allow this.",
        "2 false": "Your role does not allow this.",
        "2 true": "Your role does not allow this.",
        "4 false": "Your role does not allow this.",
        "4 true": "Your role does not allow this.",
        "8 false": "Your role does not allow this.",
        "8 true": "Your role does not allow this.",
        "16 false": "Your role does not allow this.",
        "16 true": "Your role does not allow this.",
        "32 false": "Your role does not allow this.",
        "32 true": "Your role does not allow this.",
        "64 false": "Your role does not allow this.",
        "64 true": "Your role does not allow this."
      },
      "Laboratory": {
        "1 false": "Your role does not allow this.",
        "1 true": "Your role does not allow this.",
        "2 false": "Your role does not allow this.",
        "2 true": "Your role does not allow this.",
        "4 false": "Your role does not allow this.",
        "4 true": "Your role does not allow this.",
        "8 false": "Your role does not allow this.",
        "8 true": "Your role does not allow this.",
        "16 false": "Your role does not allow this.",
        "16 true": "Your role does not allow this.",
        "32 false": "Your role does not allow this.",
        "32 true": "Your role does not allow this.",
        "64 false": "Your role does not allow this.",
        "64 true": "Your role does not allow this."
      },
      "Client Admin": {
        "1 false": "Order L{number} has no released results to acknowledge",
        "1 true": null,
        "2 false": "Order L{number} has no released results to acknowledge",
        "2 true": null,
        "4 false": null,
        "4 true": null,
        "8 false": null,
        "8 true": null,
        "16 false": null,
        "16 true": null,
        "32 false": "Order L{number} has no released results to acknowledge",
        "32 true": null,
        "64 false": null,
        "64 true": null
      },
      "Client Basic": {
        "1 false": "Order L{number} has no released results to acknowledge",
        "1 true": null,
        "2 false": "Order L{number} has no released results to acknowledge",
        "2 true": null,
        "4 false": null,
        "4 true": null,
        "8 false": null,
        "8 true": null,
        "16 false": null,
        "16 true": null,
        "32 false": "Order L{number} has no released results to acknowledge",
        "32 true": null,
        "64 false": null,
        "64 true": null
      },
      "Physician": {
        "1 false": "Order L{number} has no released results to acknowledge",
        "1 true": null,
        "2 false": "Order L{number} has no released results to acknowledge",
        "2 true": null,
        "4 false": null,
        "4 true": null,
        "8 false": null,
        "8 true": null,
        "16 false": null,
        "16 true": null,
        "32 false": "Order L{number} has no released results to acknowledge",
        "32 true": null,
        "64 false": null,
        "64 true": null
      },
      "Patient": {
        "1 false": "Your role does not allow this.",
        "1 true": "Your role does not allow this.",
        "2 false": "Your role does not allow this.",
        "2 true": "Your role does not allow this.",
        "4 false": "Your role does not allow this.",
        "4 true": "Your role does not allow this.",
        "8 false": "Your role does not allow this.",
        "8 true": "Your role does not allow this.",
        "16 false": "Your role does not allow this.",
        "16 true": "Your role does not allow this.",
        "32 false": "Your role does not allow this.",
        "32 true": "Your role does not allow this.",
        "64 false": "Your role does not allow this.",
        "64 true": "Your role does not allow this."
      }
    }
  },
  "completeOrder": {
    "facts": [
      "status"
    ],
    "answers": {
      "Superuser": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Laboratory": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Client Admin": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Client Basic": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Physician": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Patient": {
        "1": "Your role does not allow this.",
        "2": "Your role does not allow this.",
        "4": "Your role does not allow this.",
        "8": "Your role does not allow this.",
        "16": "Your role does not allow this.",
        "32": "Your role does not allow this.",
        "64": "Your role does not allow this."
      }
    }
  },
  "releaseOrder": {
    "facts": [
      "status"
    ],
    "answers": {
      "Superuser": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Laboratory": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Client Admin": {
        "1": "Your role does not allow this.",
        "2": "Your role does not allow this.",
        "4": "Your role does not allow this.",
        "8": "Your role does not allow this.",
        "16": "Your role does not allow this.",
        "32": "Your role does not allow this.",
        "64": "Your role does not allow this."
      },
      "Client Basic": {
        "1": "Your role does not allow this.",
        "2": "Your role does not allow this.",
        "4": "Your role does not allow this.",
        "8": "Your role does not allow this.",
        "16": "Your role does not allow this.",
        "32": "Your role does not allow this.",
        "64": "Your role does not allow this."
      },
      "Physician": {
        "1": "Your role does not allow this.",
        "2": "Your role does not allow this.",
        "4": "Your role does not allow this.",
        "8": "Your role does not allow this.",
        "16": "Your role does not allow this.",
        "32": "Your role does not allow this.",
        "64": "Your role does not allow this."
      },
      "Patient": {
        "1": "Your role does not allow this.",
        "2": "Your role does not allow this.",
        "4": "Your role does not allow this.",
        "8": "Your role does not allow this.",
        "16": "Your role does not allow this.",
        "32": "Your role does not allow this.",
        "64": "Your role does not allow this."
      }
    }
  },
  "billOrder": {
    "facts": [
      "status"
    ],
    "answers": {
      "Superuser": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Laboratory": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Client Admin": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Client Basic": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Physician": {
        "1": null,
        "2": null,
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and cannot be changed",
        "64": null
      },
      "Patient": {
        "1": "Your role does not allow this.",
        "2": "Your role does not allow this.",
        "4": "Your role does not allow this.",
        "8": "Your role does not allow this.",
        "16": "Your role does not allow this.",
        "32": "Your role does not allow this.",
        "64": "Your role does not allow this."
      }
    }
  },
  "openCriticalResults": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": null
      },
      "Physician": {
        "": null
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "tellCriticalResult": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "openAutoverification": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "changeAutoverification": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": "Your role does not allow this."
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "exportResults": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": null
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "openAdvancedSearch": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": null
      },
      "Physician": {
        "": null
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "labelRequisition": {
    "facts": [
      "status",
      "hasSignature"
    ],
    "answers": {
      "Superuser": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED, so it has no labels",
        "2 true": "Requisition R{number} is CANCELED, so it has no labels",
        "4 false": null,
        "4 true": null
      },
      "Laboratory": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED, so it has no labels",
        "2 true": "Requisition R{number} is CANCELED, so it has no labels",
        "4 false": null,
        "4 true": null
      },
      "Client Admin": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED, so it has no labels",
        "2 true": "Requisition R{number} is CANCELED, so it has no labels",
        "4 false": null,
        "4 true": null
      },
      "Client Basic": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED, so it has no labels",
        "2 true": "Requisition R{number} is CANCELED, so it has no labels",
        "4 false": null,
        "4 true": null
      },
      "Physician": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED, so it has no labels",
        "2 true": "Requisition R{number} is CANCELED, so it has no labels",
        "4 false": null,
        "4 true": null
      },
      "Patient": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED, so it has no labels",
        "2 true": "Requisition R{number} is CANCELED, so it has no labels",
        "4 false": null,
        "4 true": null
      }
    }
  },
  "previewResults": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "countAlerts": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": "Your role does not allow this."
      },
      "Laboratory": {
        "": "Your role does not allow this."
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": null
      },
      "Physician": {
        "": null
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "countToSign": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": "Your role does not allow this."
      },
      "Laboratory": {
        "": "Your role does not allow this."
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": null
      },
      "Physician": {
        "": null
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "countToCollect": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": "Your role does not allow this."
      },
      "Laboratory": {
        "": "Your role does not allow this."
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": null
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "countToReceive": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "countCameIn": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "sendRequisition": {
    "facts": [
      "status",
      "hasSignature"
    ],
    "answers": {
      "Superuser": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED and cannot be sent",
        "2 true": "Requisition R{number} is CANCELED and cannot be sent",
        "4 false": null,
        "4 true": null
      },
      "Laboratory": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED and cannot be sent",
        "2 true": "Requisition R{number} is CANCELED and cannot be sent",
        "4 false": null,
        "4 true": null
      },
      "Client Admin": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED and cannot be sent",
        "2 true": "Requisition R{number} is CANCELED and cannot be sent",
        "4 false": null,
        "4 true": null
      },
      "Client Basic": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED and cannot be sent",
        "2 true": "Requisition R{number} is CANCELED and cannot be sent",
        "4 false": null,
        "4 true": null
      },
      "Physician": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED and cannot be sent",
        "2 true": "Requisition R{number} is CANCELED and cannot be sent",
        "4 false": null,
        "4 true": null
      },
      "Patient": {
        "1 false": null,
        "1 true": null,
        "2 false": "Requisition R{number} is CANCELED and cannot be sent",
        "2 true": "Requisition R{number} is CANCELED and cannot be sent",
        "4 false": null,
        "4 true": null
      }
    }
  },
  "sendOrder": {
    "facts": [
      "status"
    ],
    "answers": {
      "Superuser": {
        "1": "Order L{number} has no released results to send",
        "2": "Order L{number} has no released results to send",
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and has no results to send",
        "64": null
      },
      "Laboratory": {
        "1": "Order L{number} has no released results to send",
        "2": "Order L{number} has no released results to send",
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and has no results to send",
        "64": null
      },
      "Client Admin": {
        "1": "Order L{number} has no released results to send",
        "2": "Order L{number} has no released results to send",
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and has no results to send",
        "64": null
      },
      "Client Basic": {
        "1": "Order L{number} has no released results to send",
        "2": "Order L{number} has no released results to send",
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and has no results to send",
        "64": null
      },
      "Physician": {
        "1": "Order L{number} has no released results to send",
        "2": "Order L{number} has no released results to send",
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and has no results to send",
        "64": null
      },
      "Patient": {
        "1": "Order L{number} has no released results to send",
        "2": "Order L{number} has no released results to send",
        "4": null,
        "8": null,
        "16": null,
        "32": "Order L{number} is CANCELED and has no results to send",
        "64": null
      }
    }
  },
  "seeEarlierRecipients": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "administerUsers": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": "Your role does not allow this."
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "changeUser": {
    "facts": [
      "isGiven",
      "isWithin",
      "isSelf",
      "active"
    ],
    "answers": {
      "Superuser": {
        "false false false false": null,
        "false false false true": null,
        "false false true false": null,
        "false false true true": null,
        "false true false false": null,
        "false true false true": null,
        "false true true false": null,
        "false true true true": null,
        "true false false false": null,
        "true false false true": null,
        "true false true false": null,
        "true false true true": null,
        "true true false false": null,
        "true true false true": null,
        "true true true false": null,
        "true true true true": null
      },
      "Laboratory": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      },
      "Client Admin": {
        "false false false false": "Only the lab can change users with this role.",
        "false false false true": "Only the lab can change users with this role.",
        "false false true false": null,
        "false false true true": null,
        "false true false false": "Only the lab can change users with this role.",
        "false true false true": "Only the lab can change users with this role.",
        "false true true false": null,
        "false true true true": null,
        "true false false false": null,
        "true false false true": null,
        "true false true false": null,
        "true false true true": null,
        "true true false false": null,
        "true true false true": null,
        "true true true false": null,
        "true true true true": null
      },
      "Client Basic": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      },
      "Physician": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      },
      "Patient": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      }
    }
  },
  "deleteUser": {
    "facts": [
      "isGiven",
      "isWithin",
      "isSelf",
      "active"
    ],
    "answers": {
      "Superuser": {
        "false false false false": "This user also belongs to other clients. Please ask the lab.",
        "false false false true": "This user also belongs to other clients. Please ask the lab.",
        "false false true false": "You cannot change your own role, assignments, or email.",
        "false false true true": "You cannot change your own role, assignments, or email.",
        "false true false false": null,
        "false true false true": null,
        "false true true false": "You cannot change your own role, assignments, or email.",
        "false true true true": "You cannot change your own role, assignments, or email.",
        "true false false false": "This user also belongs to other clients. Please ask the lab.",
        "true false false true": "This user also belongs to other clients. Please ask the lab.",
        "true false true false": "You cannot change your own role, assignments, or email.",
        "true false true true": "You cannot change your own role, assignments, or email.",
        "true true false false": null,
        "true true false true": null,
        "true true true false": "You cannot change your own role, assignments, or email.",
        "true true true true": "You cannot change your own role, assignments, or email."
      },
      "Laboratory": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      },
      "Client Admin": {
        "false false false false": "Only the lab can change users with this role.",
        "false false false true": "Only the lab can change users with this role.",
        "false false true false": "You cannot change your own role, assignments, or email.",
        "false false true true": "You cannot change your own role, assignments, or email.",
        "false true false false": "Only the lab can change users with this role.",
        "false true false true": "Only the lab can change users with this role.",
        "false true true false": "You cannot change your own role, assignments, or email.",
        "false true true true": "You cannot change your own role, assignments, or email.",
        "true false false false": "This user also belongs to other clients. Please ask the lab.",
        "true false false true": "This user also belongs to other clients. Please ask the lab.",
        "true false true false": "You cannot change your own role, assignments, or email.",
        "true false true true": "You cannot change your own role, assignments, or email.",
        "true true false false": null,
        "true true false true": null,
        "true true true false": "You cannot change your own role, assignments, or email.",
        "true true true true": "You cannot change your own role, assignments, or email."
      },
      "Client Basic": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      },
      "Physician": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      },
      "Patient": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      }
    }
  },
  "inviteUser": {
    "facts": [
      "isGiven",
      "isWithin",
      "isSelf",
      "active"
    ],
    "answers": {
      "Superuser": {
        "false false false false": "This user also belongs to other clients. Please ask the lab.",
        "false false false true": "This user also belongs to other clients. Please ask the lab.",
        "false false true false": "You cannot change your own role, assignments, or email.",
        "false false true true": "You cannot change your own role, assignments, or email.",
        "false true false false": "This user is not active.",
        "false true false true": null,
        "false true true false": "You cannot change your own role, assignments, or email.",
        "false true true true": "You cannot change your own role, assignments, or email.",
        "true false false false": "This user also belongs to other clients. Please ask the lab.",
        "true false false true": "This user also belongs to other clients. Please ask the lab.",
        "true false true false": "You cannot change your own role, assignments, or email.",
        "true false true true": "You cannot change your own role, assignments, or email.",
        "true true false false": "This user is not active.",
        "true true false true": null,
        "true true true false": "You cannot change your own role, assignments, or email.",
        "true true true true": "You cannot change your own role, assignments, or email."
      },
      "Laboratory": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      },
      "Client Admin": {
        "false false false false": "Only the lab can change users with this role.",
        "false false false true": "Only the lab can change users with this role.",
        "false false true false": "You cannot change your own role, assignments, or email.",
        "false false true true": "You cannot change your own role, assignments, or email.",
        "false true false false": "Only the lab can change users with this role.",
        "false true false true": "Only the lab can change users with this role.",
        "false true true false": "You cannot change your own role, assignments, or email.",
        "false true true true": "You cannot change your own role, assignments, or email.",
        "true false false false": "This user also belongs to other clients. Please ask the lab.",
        "true false false true": "This user also belongs to other clients. Please ask the lab.",
        "true false true false": "You cannot change your own role, assignments, or email.",
        "true false true true": "You cannot change your own role, assignments, or email.",
        "true true false false": "This user is not active.",
        "true true false true": null,
        "true true true false": "You cannot change your own role, assignments, or email.",
        "true true true true": "You cannot change your own role, assignments, or email."
      },
      "Client Basic": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      },
      "Physician": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      },
      "Patient": {
        "false false false false": "Your role does not allow this.",
        "false false false true": "Your role does not allow this.",
        "false false true false": "Your role does not allow this.",
        "false false true true": "Your role does not allow this.",
        "false true false false": "Your role does not allow this.",
        "false true false true": "Your role does not allow this.",
        "false true true false": "Your role does not allow this.",
        "false true true true": "Your role does not allow this.",
        "true false false false": "Your role does not allow this.",
        "true false false true": "Your role does not allow this.",
        "true false true false": "Your role does not allow this.",
        "true false true true": "Your role does not allow this.",
        "true true false false": "Your role does not allow this.",
        "true true false true": "Your role does not allow this.",
        "true true true false": "Your role does not allow this.",
        "true true true true": "Your role does not allow this."
      }
    }
  },
  "writeToLab": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": null
      },
      "Physician": {
        "": null
      },
      "Patient": {
        "": null
      }
    }
  },
  "requestSupplies": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": "Your role does not allow this."
      },
      "Client Admin": {
        "": null
      },
      "Client Basic": {
        "": null
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "openLabData": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": null
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "openAuditLog": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": "Your role does not allow this."
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  },
  "openOperations": {
    "facts": [],
    "answers": {
      "Superuser": {
        "": null
      },
      "Laboratory": {
        "": "Your role does not allow this."
      },
      "Client Admin": {
        "": "Your role does not allow this."
      },
      "Client Basic": {
        "": "Your role does not allow this."
      },
      "Physician": {
        "": "Your role does not allow this."
      },
      "Patient": {
        "": "Your role does not allow this."
      }
    }
  }
} as const;
