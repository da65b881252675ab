/**
 * Writes src/contract/*.generated.ts from shared/, which is generated from the Python contract:
 * messages, enumerations, choices, transitions, permissions, limits, lists and wire types.
 * `--check` fails when a file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import openapiTypes, { astToString } from 'openapi-typescript';

const api = new URL('../../shared/api/', import.meta.url);
const vocabulary = new URL('../../shared/vocabulary/', import.meta.url);
const target = new URL('../src/contract/', import.meta.url);
const readVocabulary = (name) =>
  JSON.parse(readFileSync(new URL(`${name}.json`, vocabulary), 'utf8'));
const quote = (text) => `'${text}'`;
const formatLiteral = (value) => JSON.stringify(value, null, 2);
const header = '// Generated from shared/ by `npm run contract`; do not edit.\n\n';

function renderEnumerations() {
  const parts = Object.entries(readVocabulary('enumerations')).map(([name, { values, labels }]) => {
    const lines = [
      `export const ${name} = ${formatLiteral(values)} as const;`,
      `export type ${name} = (typeof ${name})[keyof typeof ${name}];`,
    ];
    if (labels) {
      lines.push(
        `export const ${name}Labels: Readonly<Record<string, string>> = ${formatLiteral(labels)};`,
      );
    }
    return lines.join('\n');
  });
  return parts.join('\n\n') + '\n';
}

const renderConstant = (name) =>
  `export const ${name} = ${formatLiteral(readVocabulary(name))} as const;\n`;

/** Returns TypeScript types for the request and response schemas of an OpenAPI document. */
async function renderTypes(name) {
  const document = JSON.parse(readFileSync(new URL(`${name}.openapi.json`, api), 'utf8'));
  const { schemas } = document.components;
  return astToString(await openapiTypes({ ...document, paths: {}, components: { schemas } }));
}

/** Returns a type with the paths of all lists and the names of their query parameters. */
function renderLists() {
  const { paths } = JSON.parse(readFileSync(new URL('portal.openapi.json', api), 'utf8'));
  const lists = Object.entries(paths)
    .map(([path, { get }]) => [path, get?.parameters?.map(({ name }) => name) ?? []])
    .filter(([, names]) => names.includes('take') && names.includes('after'));
  const lines = lists.map(([path, names]) => `  '${path}': ${names.map(quote).join(' | ')};`);
  return `export interface ListQueries {\n${lines.join('\n')}\n}\n`;
}

/** Returns the sort keys that a list offers only for a limited number of rows, by its path. */
function renderBoundedSorts() {
  const document = JSON.parse(readFileSync(new URL('portal.openapi.json', api), 'utf8'));
  const sorts = {};
  for (const [path, { get }] of Object.entries(document.paths)) {
    const sort = get?.parameters?.find(({ name }) => name === 'sort');
    if (sort?.['x-bounded-sorts']?.length) sorts[path] = sort['x-bounded-sorts'];
  }
  return `export const boundedSorts: Readonly<Record<string, readonly string[]>> = ${formatLiteral(sorts)};\n`;
}

/** Returns records whose optional fields are null; the samples of tests fill them. */
function renderNullFields() {
  const document = JSON.parse(readFileSync(new URL('portal.openapi.json', api), 'utf8'));
  const records = ['RequisitionRead', 'RequisitionsRow'].map((name) => {
    const fields = Object.entries(document.components.schemas[name].properties)
      .filter(([, { anyOf }]) => anyOf?.some(({ type }) => type === 'null'))
      .map(([field]) => [field, null]);
    return [name, Object.fromEntries(fields)];
  });
  return `export const nullFields = ${formatLiteral(Object.fromEntries(records))} as const;\n`;
}

const files = {
  lists: renderLists(),
  portal: await renderTypes('portal'),
  device: await renderTypes('device'),
  messages: renderConstant('messages'),
  boundedSorts: renderBoundedSorts(),
  limits: renderConstant('limits'),
  choices: renderConstant('choices'),
  transitions: renderConstant('transitions'),
  permissions: renderConstant('permissions'),
  enumerations: renderEnumerations(),
  nullFields: renderNullFields(),
};

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const [name, body] of Object.entries(files)) {
  const path = new URL(`${name}.generated.ts`, target);
  const text = header + body;
  if (!isCheck) {
    writeFileSync(path, text);
    continue;
  }
  let current = '';
  try {
    current = readFileSync(path, 'utf8');
  } catch {
    // A missing file is out of date.
  }
  if (current !== text) {
    stale += 1;
    console.error(`out of date: ${fileURLToPath(path)}; run npm run contract`);
  }
}
process.exitCode = stale > 0 ? 1 : 0;
