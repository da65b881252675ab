import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api';
import type { Wire } from '../../contract';

export type ZipCode = Wire<'ZipCodeShape'>;

export const ZIP_DIGITS = 5;
export const ZIP_PLUS4_DIGITS = 4;
/** The maximum length of an address in the database. */
export const ADDRESS_MAX = 200;

/** City and state of a zip code of five digits; null for an unknown one. */
export const zipCodeQuery = (code: string) =>
  queryOptions({
    queryKey: ['zip-codes', code],
    queryFn: ({ signal }) =>
      api.get<ZipCode | null>('/api/v2/address/zip-code', { query: { code }, signal }),
    staleTime: Infinity,
    meta: { quiet: true },
  });

/** Finds the zip plus 4 of an address; '' if it is unknown (O 7, DECISIONS). */
export const findZipPlus4 = (zip: string, address: string): Promise<string> =>
  api.get<string>(`/api/v2/address/zip-code/${zip}/zip-code-extra`, { query: { address } });
