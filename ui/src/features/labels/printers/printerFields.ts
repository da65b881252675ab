import { z } from 'zod';

import { messages, type DeviceWire } from '../../../contract';
import type { AnsweringPrinter, Printer } from '../../../device';
import { formatSize } from '../size';

const RAW_PORT = '9100';
const HIGHEST_PORT = 65_535;
const FARTHEST_MM = 10;
const DARKEST = 30;
const FASTEST = 14;

type NetworkPrinter = Required<DeviceWire<'NetworkPrinter'>>;

/** The value of a select that stands for null: the printer's own setting, or no language. */
const NONE = '';

const isOffset = (text: string) => Math.abs(Number(text || '0')) <= FARTHEST_MM;
const offset = z.string().refine(isOffset, { message: messages.VALUE_INVALID });

/** The form of a printer; its host is empty for a queue of the computer. */
export const printerSchema = z.object({
  name: z.string().trim().min(1, messages.VALUE_REQUIRED),
  host: z.string().trim().min(1, messages.VALUE_REQUIRED),
  port: z.string().refine((text) => Number(text) >= 1 && Number(text) <= HIGHEST_PORT, {
    message: messages.VALUE_INVALID,
  }),
  language: z.string(),
  dpi: z.string(),
  size: z.string(),
  darkness: z.string(),
  speed: z.string(),
  offsetX: offset,
  offsetY: offset,
});

export type PrinterSettings = z.infer<typeof printerSchema>;

/** The form's values for a stored printer, one that answers on the network, or a new one. */
export function formatSettings(
  printer: Printer | null,
  answering: AnsweringPrinter | null,
): PrinterSettings {
  const address = printer?.address ?? '';
  const colon = address.lastIndexOf(':');
  const isNetwork = printer === null || printer.kind === 'tcp';
  return {
    name: printer?.name ?? answering?.model ?? '',
    // A queue has no address; the form does not show it.
    host: isNetwork ? (answering?.host ?? address.slice(0, Math.max(0, colon))) : address,
    port: printer?.kind === 'tcp' ? address.slice(colon + 1) : String(answering?.port ?? RAW_PORT),
    language: printer ? (printer.language ?? NONE) : (answering?.language ?? 'zpl'),
    dpi: String(printer?.dpi ?? answering?.dpi ?? 203),
    size: printer?.size ?? '2x1',
    darkness: String(printer?.darkness ?? NONE),
    speed: String(printer?.speed ?? NONE),
    offsetX: String(printer?.offsetX ?? 0),
    offsetY: String(printer?.offsetY ?? 0),
  };
}

/** The labels of the form's fields, for a sentence. */
const SETTING_NAMES: Record<Printer['changedSettings'][number], string> = {
  name: 'name',
  host: 'address',
  port: 'port',
  language: 'language',
  dpi: 'density',
  size: 'label size',
  darkness: 'darkness',
  speed: 'speed',
  offsetX: 'move right',
  offsetY: 'move down',
};

/** Names settings in words, such as 'density, darkness'. */
export const formatChanges = (settings: Printer['changedSettings']): string =>
  settings.map((setting) => SETTING_NAMES[setting]).join(', ');

const parseChoice = (text: string) => (text === NONE ? null : Number(text));

export function parseSettings(values: PrinterSettings): NetworkPrinter {
  return {
    name: values.name,
    host: values.host.replace(/^\[|\]$/g, ''),
    port: Number(values.port),
    language: values.language === NONE ? null : (values.language as NetworkPrinter['language']),
    dpi: Number(values.dpi),
    size: values.size as NetworkPrinter['size'],
    darkness: parseChoice(values.darkness),
    speed: parseChoice(values.speed),
    offsetX: Number(values.offsetX || '0'),
    offsetY: Number(values.offsetY || '0'),
  };
}

/** Says which settings a language does not have; null if it has all of them. */
export function describeLimitation(language: string): string | null {
  if (language === NONE) return messages.PRINTER_SETTINGS_OF_IMAGES;
  return language === 'epl' ? messages.PRINTER_SETTINGS_OF_EPL : null;
}

const listNumbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

export const LANGUAGES = [
  { value: 'zpl', label: 'ZPL' },
  { value: 'epl', label: 'EPL' },
  { value: NONE, label: 'Images' },
] as const;
export const DENSITIES = ['203', '300', '600'].map((value) => ({ value, label: `${value} dpi` }));
export const SIZES = ['2x1', '2.25x1.25', '3x1', '3x2', '4x2'].map((value) => ({
  value,
  label: formatSize(value),
}));
const PRINTER_DEFAULT = { value: NONE, label: "The printer's own" };
export const DARKNESS = [
  PRINTER_DEFAULT,
  ...listNumbers(0, DARKEST).map((value) => ({ value, label: value })),
];
export const SPEEDS = [
  PRINTER_DEFAULT,
  ...listNumbers(1, FASTEST).map((value) => ({ value, label: `${value} in/s` })),
];
