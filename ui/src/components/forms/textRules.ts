import { z } from 'zod';

/** Builds the rule of a text that must not be blank. */
export const buildRequiredRule = (message: string) => z.string().trim().min(1, message);

/** Builds the rule of a text that is empty or has this many digits. */
export const buildDigitsRule = (count: number, message: string) =>
  z.string().refine((text) => text === '' || text.length === count, { message });
