/** Labels of the typed parts of an address. */
export const addressLabels = {
  address: 'Address',
  zipCodeName: 'Zip Code',
  zipCodePlus4: 'Zip plus 4',
} as const;
