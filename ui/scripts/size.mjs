/** Prints the gzip size of the script that the first page loads; fails above the budget. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET_KB = 250;
const dist = new URL('../dist/', import.meta.url);
const html = readFileSync(new URL('index.html', dist), 'utf8');
const scripts = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(
  (match) => match[1],
);
let total = 0;
for (const script of new Set(scripts)) {
  const size = gzipSync(readFileSync(new URL(script, dist))).length / 1024;
  total += size;
  console.log(`${size.toFixed(1).padStart(8)} KB  ${script}`);
}
console.log(`${total.toFixed(1).padStart(8)} KB  first load, gzip (budget ${BUDGET_KB} KB)`);
process.exitCode = total > BUDGET_KB ? 1 : 0;
