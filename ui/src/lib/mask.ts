/** Masks of the specification: `0` stands for a digit, every other character for itself. */
export const masks = {
  phone: '000-000-0000',
  ssn: '000-00-0000',
  zip: '00000',
  zipPlus4: '0000',
} as const;

/** The number of digits in a complete phone number. */
export const PHONE_DIGITS = 10;

export const extractDigits = (text: string): string => text.replace(/\D/g, '');

/** Drops the country code of a pasted '+1 (312) 555-0199': no area code begins with 1. */
const dropCountryCode = (digits: string): string =>
  digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;

/** Fills the mask as far as the digits go: `applyMask('3125', '000-000')` is `312-5`. */
export function applyMask(text: string, mask: string): string {
  const digits = mask === masks.phone ? dropCountryCode(extractDigits(text)) : extractDigits(text);
  let result = '';
  let usedDigits = 0;
  for (const symbol of mask) {
    if (usedDigits >= digits.length) break;
    if (symbol === '0') {
      result += digits.charAt(usedDigits);
      usedDigits += 1;
    } else {
      result += symbol;
    }
  }
  return result;
}

/** Returns the caret position that leaves `digitsBefore` digits before it. */
export function findCaretPosition(maskedText: string, digitsBefore: number): number {
  let count = 0;
  for (let index = 0; index < maskedText.length; index += 1) {
    if (count === digitsBefore) return index;
    if (/\d/.test(maskedText.charAt(index))) count += 1;
  }
  return maskedText.length;
}
