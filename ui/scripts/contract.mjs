/**
 * Writes src/contract/*.generated.ts from shared/: texts, enumerations, choices, transitions,
 * permissions, limits and the shapes of the wire are written once, in Python. `--check` fails when a file is out
 * of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import openapiTypes, { astToString } from 'openapi-typescript';

const api = new URL('../../shared/api/', import.meta.url);
const vocabulary = new URL('../../shared/vocabulary/', import.meta.url);
const target = new URL('../src/contract/', import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, vocabulary), 'utf8'));
const literal = (value) => JSON.stringify(value, null, 2);
const header = '// Generated from shared/ by `npm run contract`; do not edit.\n\n';

function enumerations() {
  const parts = Object.entries(read('enumerations')).map(([name, { values, labels }]) => {
    const lines = [
      `export const ${name} = ${literal(values)} as const;`,
      `export type ${name} = (typeof ${name})[keyof typeof ${name}];`,
    ];
    if (labels) {
      lines.push(
        `export const ${name}Labels: Readonly<Record<string, string>> = ${literal(labels)};`,
      );
    }
    return lines.join('\n');
  });
  return parts.join('\n\n') + '\n';
}

const constant = (name) => `export const ${name} = ${literal(read(name))} as const;\n`;

/** The schemas of a document's requests and answers. */
async function shapes(name) {
  const document = JSON.parse(readFileSync(new URL(`${name}.openapi.json`, api), 'utf8'));
  const { schemas } = document.components;
  return astToString(await openapiTypes({ ...document, paths: {}, components: { schemas } }));
}

const files = {
  portal: await shapes('portal'),
  device: await shapes('device'),
  messages: constant('messages'),
  limits: constant('limits'),
  choices: constant('choices'),
  transitions: constant('transitions'),
  permissions: constant('permissions'),
  enumerations: enumerations(),
};

const checking = process.argv.includes('--check');
let stale = 0;
for (const [name, body] of Object.entries(files)) {
  const path = new URL(`${name}.generated.ts`, target);
  const text = header + body;
  if (!checking) {
    writeFileSync(path, text);
    continue;
  }
  let current = '';
  try {
    current = readFileSync(path, 'utf8');
  } catch {
    // A file that is missing is out of date.
  }
  if (current !== text) {
    stale += 1;
    console.error(`out of date: ${fileURLToPath(path)}; run npm run contract`);
  }
}
process.exitCode = stale > 0 ? 1 : 0;
