// Reads safetensors files with F32 matrices, and writes them with F16 matrices.

/** @typedef {{ shape: number[], data: Float32Array }} Matrix */

/** The bits of the nearest float16, ties to even. @param {number} value */
function halfBits(value) {
  const floats = new Float32Array([value]);
  const bits = /** @type {number} */ (new Uint32Array(floats.buffer)[0]);
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = Math.abs(/** @type {number} */ (floats[0]));
  if (magnitude >= 65520 || Number.isNaN(magnitude)) throw new Error(`${value} is not a finite float16`);
  // The distance of neighbouring values at this magnitude; below 2^-14 it is 2^-24.
  const step = 2 ** (Math.max(-14, Math.floor(Math.log2(magnitude || 2 ** -24))) - 10);
  const steps = magnitude / step;
  const below = Math.floor(steps);
  const rounded = steps - below > 0.5 || (steps - below === 0.5 && below % 2 === 1) ? below + 1 : below;
  // For normal numbers `rounded` is at least 1024, which adds one to the exponent field. A carry from rounding does the same.
  const exponent = Math.log2(step) + 24;
  return sign | (exponent * 1024 + rounded);
}

/** @param {Uint8Array} file @returns {Record<string, Matrix>} */
export function readSafetensors(file) {
  const bytes = new Uint8Array(file);
  const start = 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  /** @type {Record<string, { dtype: string, shape: number[], data_offsets: [first: number, end: number] }>} */
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
  const found = Object.entries(header).filter(([name]) => name !== '__metadata__');
  const read = found.map(([name, { dtype, shape, data_offsets }]) => {
    if (dtype !== 'F32') throw new Error(`${name}: ${dtype} is not read here, only F32`);
    const [first, end] = data_offsets;
    return [name, { shape, data: new Float32Array(bytes.slice(start + first, start + end).buffer) }];
  });
  return Object.fromEntries(read);
}

/** @param {Record<string, Matrix>} tensors */
export function writeSafetensors(tensors) {
  let end = 0;
  /** @type {Record<string, unknown>} */
  const header = { __metadata__: { format: 'pt' } };
  const parts = Object.entries(tensors).map(([name, { shape, data }]) => {
    const part = Buffer.from(Uint16Array.from(data, halfBits).buffer);
    header[name] = { dtype: 'F16', shape, data_offsets: [end, end + part.length] };
    end += part.length;
    return part;
  });
  const text = JSON.stringify(header);
  const padded = Buffer.from(text.padEnd(8 * Math.ceil(text.length / 8), ' '));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([length, padded, ...parts]);
}
