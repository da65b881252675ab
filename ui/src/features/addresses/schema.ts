import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { z } from 'zod';

import { messages, say } from '../../contract';
import { ZIP_DIGITS, ZIP_PLUS4_DIGITS, zipCodeQuery, type ZipCode } from './api';
import { addressLabels } from './fieldLabels';

/** Finds the place of a zip code: null for an unknown one, undefined without an answer. */
export type FindZipCode = (zip: string) => Promise<ZipCode | null | undefined>;

/** Returns a function that finds places like the address fields do, once per zip code. */
export function useFindZipCode(): FindZipCode {
  const queries = useQueryClient();
  return useCallback(
    async (zip) => {
      try {
        return await queries.query(zipCodeQuery(zip));
      } catch {
        return undefined;
      }
    },
    [queries],
  );
}

/** A text field; `validate` returns its error message, or null. */
const buildValidatedText = (validate: (text: string) => string | null | Promise<string | null>) =>
  z.string().superRefine(async (text, context) => {
    const message = await validate(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/** The required parts of an address. */
type RequiredParts = Readonly<Record<keyof typeof addressLabels, boolean>>;

/**
 * The rules of an address (O 5). The zip code must exist. If the portal does not respond, the zip
 * code is accepted here and checked again on saving.
 */
export const buildAddressRules = (findZipCode: FindZipCode, required: RequiredParts) => ({
  address: buildValidatedText((text) =>
    required.address && text.trim() === '' ? messages.ADDRESS_REQUIRED : null,
  ),
  zipCodeName: buildValidatedText(async (zip) => {
    if (zip === '') return required.zipCodeName ? messages.ZIP_CODE_REQUIRED : null;
    if (zip.length !== ZIP_DIGITS) return messages.ZIP_CODE_INVALID;
    return (await findZipCode(zip)) === null ? say(messages.ZIP_CODE_UNKNOWN, { code: zip }) : null;
  }),
  zipCodePlus4: buildValidatedText((plus4) => {
    if (plus4 !== '') {
      return plus4.length === ZIP_PLUS4_DIGITS ? null : messages.ZIP_CODE_PLUS4_INVALID;
    }
    const { zipCodePlus4: label } = addressLabels;
    return required.zipCodePlus4 ? say(messages.SELECTION_REQUIRED, { label }) : null;
  }),
});
