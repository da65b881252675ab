/**
 * Matrix parameters in a path (DECISIONS): `/secured/results/order;id=12`. A query is accepted
 * too, and the text 'null' means absent (O 2.1).
 */

export type RouteParameters = Readonly<Record<string, string>>;

export interface ParsedPath {
  /** The path without its parameters. */
  path: string;
  parameters: RouteParameters;
}

/** Decodes leniently: a stray `%` in a typed address is kept. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function setParameter(target: Record<string, string>, name: string, value: string): void {
  if (name && value !== '' && value !== 'null') target[name] = value;
}

/** Parses `pathname` and `search` of a location. Matrix parameters override query parameters. */
export function parseMatrix(pathname: string, search = ''): ParsedPath {
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(search)) setParameter(parameters, name, value);
  const segments = pathname.split('/').map((segment) => {
    const [name = '', ...pairs] = segment.split(';');
    for (const pair of pairs) {
      const at = pair.indexOf('=');
      if (at > 0) setParameter(parameters, decode(pair.slice(0, at)), decode(pair.slice(at + 1)));
    }
    return name;
  });
  return { path: segments.join('/'), parameters };
}

/** Percent-encodes every character that could end a parameter. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);

/** `buildMatrix('/secured/results/order', { id: 12 })`; absent values are omitted. */
export function buildMatrix(
  path: string,
  parameters: Readonly<Record<string, string | number | null | undefined>> = {},
): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `;${encode(name)}=${encode(String(value))}`);
  return path + pairs.join('');
}

/** Whether `redirectToPath` may lead to this path: only to those of this portal (DECISIONS). */
export function isPortalPath(path: string): boolean {
  return /^\/secured\/[^\\]*$/.test(path) && !path.includes('//');
}

/** Parameters that identify a person; the app removes them from the address after reading. */
const PERSONAL = [
  'dob',
  'lastName',
  'firstName',
  'ssn',
  'race',
  'genderIdentity',
  'ethnicity',
  'sexualOrientation',
];

export function splitPersonalParameters(parameters: RouteParameters): {
  personal: RouteParameters;
  other: RouteParameters;
} {
  const entries = Object.entries(parameters);
  return {
    personal: Object.fromEntries(entries.filter(([name]) => PERSONAL.includes(name))),
    other: Object.fromEntries(entries.filter(([name]) => !PERSONAL.includes(name))),
  };
}
