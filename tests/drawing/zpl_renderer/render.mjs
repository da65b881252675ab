// Draws the ZPL on standard input and writes the PNG to standard output.
//   node render.mjs <width in mm> <height in mm> <dots per mm>
import { text } from "node:stream/consumers";
import { ready } from "zpl-renderer-js";

const [width, height, density] = process.argv.slice(2).map(Number);
const { api } = await ready;
const png = await api.zplToBase64Async(await text(process.stdin), width, height, density);
process.stdout.write(Buffer.from(png, "base64"), () => process.exit(0));
