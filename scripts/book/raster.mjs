// Converts SVG to PNG when the site is built.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** @type {Promise<void> | undefined} */
let starting;

/**
 * @param {string} svg
 * @param {ConstructorParameters<typeof Resvg>[1]} [options]
 * @returns {Promise<Buffer>}
 */
export async function pngOfSvg(svg, options) {
  starting ??= initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  await starting;
  return Buffer.from(new Resvg(svg, options).render().asPng());
}
