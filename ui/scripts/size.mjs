/**
 * Prints the gzip sizes of the files that the first page loads. Fails when they exceed a budget.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGETS_KB = { js: 200, css: 30 };
const dist = new URL('../dist/', import.meta.url);
const html = readFileSync(new URL('index.html', dist), 'utf8');
const assets = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(js|css))"/g)];
for (const [kind, budget] of Object.entries(BUDGETS_KB)) {
  let total = 0;
  for (const asset of new Set(
    assets.filter((match) => match[2] === kind).map((match) => match[1]),
  )) {
    const size = gzipSync(readFileSync(new URL(asset, dist))).length / 1024;
    total += size;
    console.log(`${size.toFixed(1).padStart(8)} KB  ${asset}`);
  }
  console.log(
    `${total.toFixed(1).padStart(8)} KB  first load, ${kind}, gzip (budget ${budget} KB)`,
  );
  if (total > budget) process.exitCode = 1;
}
