// Generated from shared/ by `npm run contract`; do not edit.

export const choices = {
  "RACES": [
    "ALASKA NATIVE",
    "AMERICAN INDIAN",
    "ASIAN",
    "BLACK OR AFRICAN AMERICAN",
    "NATIVE HAWAIIAN",
    "WHITE",
    "MULTIRACIAL",
    "OTHER PACIFIC ISLANDER",
    "OTHER RACE",
    "ASKED BUT UNKNOWN",
    "DOES NOT WISH TO DISCLOSE",
    "HISPANIC OR LATINO",
    "NOT PROVIDED"
  ],
  "SUPPLY_UNITS": [
    "Count",
    "Box",
    "Case"
  ],
  "SEXUAL_ORIENTATIONS": [
    {
      "id": "38628009",
      "name": "Lesbian, gay or homosexual"
    },
    {
      "id": "20430005",
      "name": "Straight or heterosexual"
    },
    {
      "id": "42035005",
      "name": "Bisexual"
    },
    {
      "id": "OTH",
      "name": "Something else"
    },
    {
      "id": "UNK",
      "name": "Don't know"
    },
    {
      "id": "ASKU",
      "name": "Choose not to disclose"
    }
  ],
  "GENDER_IDENTITIES": [
    {
      "id": "446151000124109",
      "name": "Male"
    },
    {
      "id": "446141000124107",
      "name": "Female"
    },
    {
      "id": "407377005",
      "name": "Transgender male"
    },
    {
      "id": "407376001",
      "name": "Transgender female"
    },
    {
      "id": "446131000124102",
      "name": "Genderqueer"
    },
    {
      "id": "OTH",
      "name": "Other"
    },
    {
      "id": "ASKU",
      "name": "Choose not to disclose"
    }
  ],
  "RELATIONSHIPS": [
    "SELF",
    "SPOUSE",
    "FATHER",
    "MOTHER",
    "SON",
    "DAUGHTER"
  ],
  "RICH_TEXT_TAGS": [
    "p",
    "br",
    "hr",
    "blockquote",
    "pre",
    "code",
    "strong",
    "b",
    "em",
    "i",
    "u",
    "s",
    "mark",
    "sub",
    "sup",
    "ul",
    "ol",
    "li",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "a",
    "span"
  ],
  "RICH_TEXT_HEADER_LEVELS": [
    1,
    2,
    3,
    4,
    5
  ],
  "RICH_TEXT_FONT_SIZES_PT": [
    8,
    10,
    12,
    14,
    18,
    24,
    36
  ]
} as const;
