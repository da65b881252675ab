// Generated from shared/ by `npm run contract`; do not edit.

export const transitions = {
  "requisition": {
    "0": [
      1
    ],
    "1": [
      2,
      4
    ],
    "2": [],
    "4": []
  },
  "order": {
    "0": [
      1
    ],
    "1": [
      2,
      4,
      8,
      16,
      32,
      64
    ],
    "2": [
      1,
      4,
      8,
      16,
      32,
      64
    ],
    "4": [
      2,
      8,
      16,
      32,
      64
    ],
    "8": [
      2,
      4,
      16,
      32,
      64
    ],
    "16": [
      2,
      4,
      8,
      64
    ],
    "32": [
      1,
      2
    ],
    "64": [
      2,
      4,
      8,
      16,
      32
    ]
  }
} as const;
