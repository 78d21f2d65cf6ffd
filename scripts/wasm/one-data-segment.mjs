// Joins the data segments of a linked module. Binaryen's memory packing omits runs of zeros and writes thousands of segments, whose addresses
// compress worse than the zeros (docs/decisions/0008-small-wasm.md).
import binaryen from 'binaryen';

/** @typedef {InstanceType<typeof binaryen.Module>} Module */
/** @typedef {{ offset: number, data: ArrayBuffer, passive: boolean }} DataSegment */
// The declared types of Binaryen lack two of these functions.
/** @typedef {{ getNumDataSegments(): number, getDataSegmentByIndex(at: number): number, getDataSegmentInfo(segment: number): DataSegment }} Reader */

/** @param {Module} module @returns {DataSegment[]} */
export function dataSegments(module) {
  const reader = /** @type {Reader} */ (/** @type {unknown} */ (module));
  return Array.from({ length: reader.getNumDataSegments() }, (_, at) => reader.getDataSegmentInfo(reader.getDataSegmentByIndex(at)));
}

/**
 * @param {Uint8Array} bytes of the linked module
 * @returns {Uint8Array} the same module with one data segment, which contains the zeros between the others
 */
export function withOneDataSegment(bytes) {
  const module = binaryen.readBinary(bytes);
  try {
    const segments = dataSegments(module);
    if (segments.length < 2) return bytes;
    if (segments.some(({ passive }) => passive)) throw new Error('data: a segment is passive; expected segments with addresses');
    const begin = Math.min(...segments.map(({ offset }) => offset));
    const end = Math.max(...segments.map(({ offset, data }) => offset + data.byteLength));
    const data = new Uint8Array(end - begin);
    for (const segment of segments) data.set(new Uint8Array(segment.data), segment.offset - begin);
    const { initial, max } = module.getMemoryInfo();
    module.setMemory(initial, max ?? -1, null, [{ offset: module.i32.const(begin), data, passive: false }]);
    return module.emitBinary();
  } finally {
    module.dispose();
  }
}
