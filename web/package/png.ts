// Encodes a raster as a PNG file (RFC 2083) without a canvas.
import { deflateSync } from 'node:zlib';
import type { Raster } from '../charts/picture.ts';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** CRC-32 lookup table, with one entry per byte value. `crc32` of node:zlib is missing in early versions of Node 20. */
const CRC_REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  return remainder;
});
const crc32 = (bytes: Uint8Array): number =>
  ~bytes.reduce((crc, byte) => (CRC_REMAINDERS[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8), ~0) >>> 0;

function createChunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/**
 * Converts pixels to palette indices. Colours are in the order of their first occurrence. Returns undefined for more than 256 colours.
 */
function toPalette(rgba: Uint8ClampedArray): { readonly colors: readonly number[]; readonly pixels: Uint8Array } | undefined {
  const data = new DataView(rgba.buffer, rgba.byteOffset, rgba.byteLength);
  const indices = new Map<number, number>();
  const pixels = new Uint8Array(rgba.length / 4);
  for (let pixel = 0; pixel < pixels.length; pixel++) {
    const color = data.getUint32(4 * pixel);
    const colorIndex = indices.get(color) ?? indices.size;
    if (colorIndex > 255) return undefined;
    indices.set(color, colorIndex);
    pixels[pixel] = colorIndex;
  }
  return { colors: [...indices.keys()], pixels };
}

/** Encodes RGBA pixels as a PNG file, with a palette if there are at most 256 colours, otherwise with 8 bits per channel. */
export function encodePng({ columns, rows, rgba }: Pick<Raster, 'columns' | 'rows' | 'rgba'>): Buffer {
  const palette = toPalette(rgba);
  const [bytes, bytesPerRow, colorType] = palette ? [palette.pixels, columns, 3] : [rgba, 4 * columns, 6];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(columns);
  header.writeUInt32BE(rows, 4);
  header.set([8, colorType, 0, 0, 0], 8);
  // Each row begins with its filter type. 0 means no filter.
  const scanlines = Buffer.alloc(rows * (1 + bytesPerRow));
  for (let row = 0; row < rows; row++)
    scanlines.set(bytes.subarray(bytesPerRow * row, bytesPerRow * (row + 1)), row * (1 + bytesPerRow) + 1);
  const chunks = [createChunk('IHDR', header)];
  if (palette) {
    const { colors } = palette;
    chunks.push(createChunk('PLTE', Uint8Array.from(colors.flatMap((color) => [color >>> 24, (color >>> 16) & 255, (color >>> 8) & 255]))));
    const opacity = Uint8Array.from(colors, (color) => color & 255);
    if (opacity.some((alpha) => alpha < 255)) chunks.push(createChunk('tRNS', opacity));
  }
  return Buffer.concat([
    PNG_SIGNATURE,
    ...chunks,
    createChunk('IDAT', deflateSync(scanlines, { level: 9 })),
    createChunk('IEND', Buffer.alloc(0)),
  ]);
}

export const toPngUrl = (raster: Raster): string => `data:image/png;base64,${encodePng(raster).toString('base64')}`;
