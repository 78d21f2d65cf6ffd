// Writes arrays as NumPy .npy files, version 1.0: float32, little-endian, C order.
import type { Tensor } from '../../engine/index.ts';

export function encodeNpy({ shape, data }: Tensor): Uint8Array<ArrayBuffer> {
  const shapeText = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const description = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shapeText}), }`;
  // Pads the header with spaces so that the data starts at a multiple of 64 bytes. The magic string, version and header length take 10
  // bytes, and the final line feed 1.
  const header = `${description.padEnd(Math.ceil((10 + description.length + 1) / 64) * 64 - 10 - 1)}\n`;
  const bytes = new Uint8Array(10 + header.length + 4 * data.length);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 0xff, header.length >> 8]);
  bytes.set(new TextEncoder().encode(header), 10);
  const view = new DataView(bytes.buffer, 10 + header.length);
  data.forEach((value, index) => {
    view.setFloat32(4 * index, value, true);
  });
  return bytes;
}
