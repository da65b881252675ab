import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { z } from 'zod';

import { messages, say } from '../../contract';
import { ZIP_DIGITS, ZIP_PLUS4_DIGITS, zipCodeQuery, type ZipCode } from './api';
import { addressLabels } from './fieldLabels';

/** The place of a zip code: null when there is none, undefined when the portal did not say. */
export type FindPlace = (zip: string) => Promise<ZipCode | null | undefined>;

/** Looks places up as the address fields do, each of them once. */
export function useFindPlace(): FindPlace {
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

/** A text of which one thing is said at a time; nothing here keeps other rules from being tried. */
const judged = (problem: (text: string) => string | null | Promise<string | null>) =>
  z.string().superRefine(async (text, context) => {
    const message = await problem(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

/** Which parts an address can not be without. */
type Required = Readonly<Record<keyof typeof addressLabels, boolean>>;

/**
 * The rules of an address (O 5). A zip code must be known; a portal that does not answer is no
 * reason to refuse, it looks again when saving.
 */
export const addressRules = (findPlace: FindPlace, required: Required) => ({
  address: judged((text) =>
    required.address && text.trim() === '' ? messages.ADDRESS_REQUIRED : null,
  ),
  zipCodeName: judged(async (zip) => {
    if (zip === '') return required.zipCodeName ? messages.ZIP_CODE_REQUIRED : null;
    if (zip.length !== ZIP_DIGITS) return messages.VALUE_INVALID;
    return (await findPlace(zip)) === null ? say(messages.ZIP_CODE_UNKNOWN, { code: zip }) : null;
  }),
  zipCodePlus4: judged((plus4) => {
    if (plus4 !== '') {
      return plus4.length === ZIP_PLUS4_DIGITS ? null : messages.ZIP_CODE_PLUS4_INVALID;
    }
    const { zipCodePlus4: label } = addressLabels;
    return required.zipCodePlus4 ? say(messages.SELECTION_REQUIRED, { label }) : null;
  }),
});
