/**
 * Writes each text file of the build compressed beside it (`.br`, `.gz`), so that the portal sends
 * a third of the bytes without compressing anything itself.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TEXT = /\.(?:css|js|svg)$/;
/** Smaller files fit into one packet anyway. */
const MIN_BYTES = 1400;

const dist = new URL('../dist/', import.meta.url);
for (const name of readdirSync(dist, { recursive: true })) {
  const file = new URL(name, dist);
  if (!TEXT.test(name)) continue;
  const content = readFileSync(file);
  if (content.length < MIN_BYTES) continue;
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(new URL(`${name}.br`, dist), brotliCompressSync(content, { params: quality }));
  writeFileSync(new URL(`${name}.gz`, dist), gzipSync(content, { level: 9 }));
}
