/** Masks of the specification: `0` takes a digit, anything else is written as it stands. */
export const masks = {
  phone: '000-000-0000',
  ssn: '000-00-0000',
  zip: '00000',
  zipPlus4: '0000',
} as const;

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** A pasted '+1 (312) 555-0199' is the number without its country: no area code begins with 1. */
const withoutCountry = (digits: string): string =>
  digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;

/** As much of the mask as the digits fill: `applyMask('3125', '000-000')` is `312-5`. */
export function applyMask(text: string, mask: string): string {
  const digits = mask === masks.phone ? withoutCountry(digitsOf(text)) : digitsOf(text);
  let result = '';
  let used = 0;
  for (const place of mask) {
    if (used >= digits.length) break;
    if (place === '0') {
      result += digits.charAt(used);
      used += 1;
    } else {
      result += place;
    }
  }
  return result;
}

/** Where the caret belongs after masking, given how many digits stand before it. */
export function caretAfter(masked: string, digitsBefore: number): number {
  let seen = 0;
  for (let index = 0; index < masked.length; index += 1) {
    if (seen === digitsBefore) return index;
    if (/\d/.test(masked.charAt(index))) seen += 1;
  }
  return masked.length;
}
