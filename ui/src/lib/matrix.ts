/**
 * Matrix parameters in a path (DECISIONS): `/secured/results/order;id=12`. A query is accepted
 * too, and the text 'null' means absent (O 2.1).
 */

export type RouteParameters = Readonly<Record<string, string>>;

export interface ParsedPath {
  /** Without parameters. */
  path: string;
  parameters: RouteParameters;
}

/** Decodes leniently: a stray `%` in a hand-typed address is that character. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function put(target: Record<string, string>, name: string, value: string): void {
  if (name && value !== '' && value !== 'null') target[name] = value;
}

/** Reads `pathname` and `search` of a location. A matrix parameter wins over a query one. */
export function parseMatrix(pathname: string, search = ''): ParsedPath {
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(search)) put(parameters, name, value);
  const segments = pathname.split('/').map((segment) => {
    const [name = '', ...pairs] = segment.split(';');
    for (const pair of pairs) {
      const at = pair.indexOf('=');
      if (at > 0) put(parameters, decode(pair.slice(0, at)), decode(pair.slice(at + 1)));
    }
    return name;
  });
  return { path: segments.join('/'), parameters };
}

/** Percent-encodes everything that could end a parameter. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);

/** `buildMatrix('/secured/results/order', { id: 12 })`; absent values are left out. */
export function buildMatrix(
  path: string,
  parameters: Readonly<Record<string, string | number | null | undefined>> = {},
): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `;${encode(name)}=${encode(String(value))}`);
  return path + pairs.join('');
}

/** `redirectToPath` may only lead to a path of this portal (DECISIONS). */
export function isPortalPath(path: string): boolean {
  return /^\/secured\/[^\\]*$/.test(path) && !path.includes('//');
}

/** Parameters that identify a person: read, then removed from the address. */
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

export function splitPersonal(parameters: RouteParameters): {
  personal: RouteParameters;
  rest: RouteParameters;
} {
  const entries = Object.entries(parameters);
  return {
    personal: Object.fromEntries(entries.filter(([name]) => PERSONAL.includes(name))),
    rest: Object.fromEntries(entries.filter(([name]) => !PERSONAL.includes(name))),
  };
}
