/** The form of a row, made from the fields of its kind (ADR 57). */
import { z } from 'zod';

import {
  buildListFormat,
  buildTableOptions,
  buildValueFormat,
  textFormat,
  type FieldRow,
} from '../../components/forms/fieldTable';
import { messages, say } from '../../contract';
import type { DataField, DataKind, DataRecord, DataValue } from './api';

/** What a field of the form holds: text for numbers and choices too. */
export type FormValue = string | boolean | string[];
export type FormValues = Record<string, FormValue>;

const isList = ({ type }: DataField): boolean => type === 'links' || type === 'texts';

const toFormValue = (field: DataField, value: DataValue): FormValue => {
  if (isList(field)) return Array.isArray(value) ? value : [];
  if (field.type === 'boolean') return value === true;
  return value === null ? '' : String(value);
};

const toWireValue = (value: FormValue): Exclude<DataValue, undefined> =>
  value === '' ? null : value;

/** The values of a new row, with those that its list has already chosen. */
export const buildBlank = ({ fields }: DataKind, chosenValues: FormValues = {}): FormValues => ({
  ...Object.fromEntries(fields.map((field) => [field.name, toFormValue(field, field.default)])),
  ...chosenValues,
});

export const toValues =
  ({ fields }: DataKind) =>
  ({ values }: DataRecord): FormValues =>
    Object.fromEntries(
      fields.map((field) => [field.name, toFormValue(field, values[field.name] ?? null)]),
    );

export const toWrite = (values: FormValues): Record<string, DataValue> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toWireValue(value)]));

/** Checks only required fields; the portal checks the rest. */
export const buildSchema = ({ fields }: DataKind): z.ZodType<FormValues, FormValues> =>
  z.record(z.string(), z.custom<FormValue>()).superRefine((values, context) => {
    for (const { name, label, required } of fields) {
      const value = values[name];
      if (!required || (value !== '' && !(Array.isArray(value) && value.length === 0))) continue;
      const message = say(messages.LAB_DATA_REQUIRED, { label });
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });

const formats = {
  list: buildListFormat((item: string) => item, null),
  flag: buildValueFormat((isOn: boolean) => (isOn ? 'Yes' : 'No')),
  text: textFormat,
};

const chooseFormat = (field: DataField) => {
  if (isList(field)) return formats.list;
  return field.type === 'boolean' ? formats.flag : formats.text;
};

export const buildFormOptions = ({ fields }: DataKind) =>
  buildTableOptions<FormValues>(
    Object.fromEntries(
      fields.map((field) => [
        field.name,
        {
          label: field.label,
          wire: field.name,
          format: chooseFormat(field),
        } as FieldRow<FormValue>,
      ]),
    ),
  );

/** What a cell of the list shows. */
export function formatValue(value: DataValue | undefined): string {
  if (value === true) return 'Yes';
  if (value === false || value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join('; ') : String(value);
}
