/** The fields that every form to the lab has, and the supplies of a request (P 3, P 5). */
import { z } from 'zod';

import { messages, say, type Wire } from '../../contract';
import { isEmail } from '../../lib/email';
import { PHONE_DIGITS } from '../../lib/mask';
import type { Profile } from '../../api';
import type { ClientRow } from '../clients/api';

/** The entry for a supply. `config` is the unit. */
export interface Wish {
  quantity: string;
  config: string;
  comment: string;
}

export interface WriterValues {
  lastName: string;
  firstName: string;
  email: string;
  phone: string;
  message: string;
}

export interface SupplyValues extends WriterValues {
  client: ClientRow | null;
  /** The requested quantities by the id of the supply. */
  wishes: Record<number, Wish>;
}

const isComplete = ({ quantity, config }: Wish): boolean => Number(quantity) > 0 && config !== '';

/** Whether a supply has an entry but no quantity or no unit: it would not be sent (P 5). */
export const isIncomplete = (wish: Wish): boolean =>
  !isComplete(wish) && [wish.quantity, wish.config, wish.comment.trim()].some(Boolean);

const writer = {
  lastName: z.string().refine((text) => text.trim() !== '', messages.CONTACT_LAST_NAME_REQUIRED),
  firstName: z.string().refine((text) => text.trim() !== '', messages.CONTACT_FIRST_NAME_REQUIRED),
  email: z
    .string()
    .refine((text) => text.trim() !== '', messages.EMAIL_REQUIRED)
    .refine((text) => text.trim() === '' || isEmail(text.trim()), messages.EMAIL_INVALID),
  phone: z
    .string()
    .refine((text) => text === '' || text.length === PHONE_DIGITS, messages.PHONE_INVALID),
  message: z.string().refine((text) => text.trim() !== '', messages.MESSAGE_REQUIRED),
};

export const contactSchema: z.ZodType<WriterValues, WriterValues> = z.object(writer);

/** @param needsClient whether the client selector is shown */
export const buildSupplySchema = (needsClient: boolean): z.ZodType<SupplyValues, SupplyValues> =>
  z.object({
    ...writer,
    client: z
      .custom<ClientRow>()
      .nullable()
      .refine(
        (client) => !needsClient || client !== null,
        say(messages.SELECTION_REQUIRED, { label: 'Client' }),
      ),
    wishes: z
      .custom<Record<number, Wish>>()
      .refine((wishes) => !Object.values(wishes).some(isIncomplete), messages.SUPPLY_INCOMPLETE),
  });

export const fillWriter = ({ firstName, lastName, email }: Profile): WriterValues => ({
  lastName: lastName.toUpperCase(),
  firstName: firstName.toUpperCase(),
  email,
  phone: '',
  message: '',
});

export const toContact = (values: WriterValues): Wire<'ContactWrite'> => ({
  name: `${values.firstName.trim()} ${values.lastName.trim()}`.toUpperCase(),
  email: values.email.trim(),
  phone: values.phone === '' ? null : values.phone,
  message: values.message,
});

export const countComplete = (ids: readonly number[], wishes: Record<number, Wish>): number =>
  ids.filter((id) => wishes[id] !== undefined && isComplete(wishes[id])).length;

/** Returns the payload: the categories with a supply that has a quantity and a unit (P 3). */
export function toSupplyRequest(
  values: SupplyValues,
  categories: readonly Wire<'SupplyCategoryShape'>[],
): Wire<'SupplyRequestWrite'> {
  const supplies = categories
    .map(({ id, supplies: all }) => ({
      id,
      supplies: all.flatMap((supply) => {
        const wish = values.wishes[supply.id];
        if (wish === undefined || !isComplete(wish)) return [];
        return {
          id: supply.id,
          quantity: Number(wish.quantity),
          config: wish.config,
          comment: wish.comment === '' ? null : wish.comment,
        };
      }),
    }))
    .filter(({ supplies: chosenSupplies }) => chosenSupplies.length > 0);
  return { ...toContact(values), client: values.client?.name ?? null, supplies };
}
