// A sum over 256 MiB in WebAssembly SIMD, with eight accumulators of four lanes. Its time gives the bandwidth of memory.

const PAGES = 4096;
const BYTES = PAGES * 65_536;
const SUMS = 8;

function sumModule() {
  const unsigned = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]);
  const section = (id, content) => [id, ...unsigned(content.length), ...content];
  const simd = (op) => [0xfd, ...unsigned(op)];
  const [get, set] = [(local) => [0x20, local], (local) => [0x21, local]];
  const sums = [...Array(SUMS).keys()].map((n) => n + 1);
  const step = sums.flatMap((sum) => [...get(sum), ...get(0), ...simd(0), 4, ...unsigned(16 * (sum - 1)), ...simd(0xe4), ...set(sum)]);
  // Local 0, the address, grows by 128 up to the size of the memory, 2 ** 28, as a signed LEB128 of five bytes.
  const signed = [0x80, 0x80, 0x80, 0x80, 0x01];
  const next = [...get(0), 0x41, 0x80, 0x01, 0x6a, 0x22, 0, 0x41, ...signed, 0x49, 0x0d, 0];
  const loop = [0x03, 0x40, ...step, ...next, 0x0b];
  const total = [0x43, 0, 0, 0, 0, ...sums.flatMap((sum) => [...get(sum), ...simd(0x1f), 0, 0x92])];
  const body = [2, 1, 0x7f, ...unsigned(SUMS), 0x7b, ...loop, ...total, 0x0b];
  return new WebAssembly.Module(
    Uint8Array.from([
      ...[0, 97, 115, 109, 1, 0, 0, 0],
      ...section(1, [1, 0x60, 0, 1, 0x7d]), // sum: () -> f32
      ...section(3, [1, 0]),
      ...section(5, [1, 0, ...unsigned(PAGES)]),
      ...section(7, [2, 3, 115, 117, 109, 0, 0, 6, ...new TextEncoder().encode('memory'), 2, 0]),
      ...section(10, [1, ...unsigned(body.length), ...body]),
    ]),
  );
}

/** Returns a function that sums the memory `rounds` times and returns the number of bytes read. */
export function sumMemory(rounds) {
  const { sum, memory } = new WebAssembly.Instance(sumModule()).exports;
  new Float32Array(memory.buffer).fill(0.5);
  return () => {
    for (let round = 0; round < rounds; round += 1) sum();
    return BYTES * rounds;
  };
}
