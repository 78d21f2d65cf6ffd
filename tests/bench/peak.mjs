// The peak of multiply-adds in WebAssembly SIMD: loops in registers with the shape of a product's inner loop, `sums[r][c] += x[r] * y[c]`,
// without loads and stores. Runs in Node and in a browser, which loads this file unchanged.

/** Rows and columns of sums; the fastest shape gives the peak. Shapes that exceed the registers read y from the stack. */
const shapes = [
  [1, 10],
  [1, 12],
  [1, 16],
  [2, 7],
  [3, 3],
];
const unrolled = 4;
/** Time for which a loop runs before it is timed, ms. */
const warmUp = 60;

/** A module with one function, run(n): n times `unrolled` steps. If `isFused`, a multiply-add is one instruction of relaxed SIMD. */
function peakModule(rows, columns, isFused) {
  const unsigned = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]);
  const section = (id, content) => [id, ...unsigned(content.length), ...content];
  const get = (local) => [0x20, local];
  const set = (local) => [0x21, local];
  const simd = (op) => [0xfd, ...unsigned(op)];
  const [splat, extract, or, add, multiply] = [simd(0x13), [...simd(0x1f), 0], simd(0x50), simd(0xe4), simd(0xe6)];
  const float = (value) => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)];

  const x = (r) => 1 + r;
  const y = (c) => 1 + rows + c;
  const sum = (r, c) => 1 + rows + columns + r * columns + c;
  const all = (make) => Array.from({ length: rows * columns }, (_, i) => make(Math.floor(i / columns), i % columns)).flat();
  const start = [...Array(rows + columns).keys()].flatMap((i) => [...float(1e-3 * (i + 1)), ...splat, ...set(1 + i)]);
  // x changes in each step, so that its products are not computed once; these operations are not counted.
  const step = [
    ...all((r, c) => {
      const factors = [...get(x(r)), ...get(y(c))];
      const fused = [...factors, ...get(sum(r, c)), ...simd(0x105)];
      return [...(isFused ? fused : [...get(sum(r, c)), ...factors, ...multiply, ...add]), ...set(sum(r, c))];
    }),
    ...[...Array(rows).keys()].flatMap((r) => [...get(x(r)), ...get(y(0)), ...or, ...set(x(r))]),
  ];
  const loop = [0x03, 0x40, ...Array(unrolled).fill(step).flat(), ...get(0), 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b];
  const total = [...float(0), ...all((r, c) => [...get(sum(r, c)), ...extract, 0x92])];
  const body = [1, ...unsigned(rows + columns + rows * columns), 0x7b, ...start, ...loop, ...total, 0x0b];
  return new WebAssembly.Module(
    Uint8Array.from([
      ...[0, 97, 115, 109, 1, 0, 0, 0],
      ...section(1, [1, 0x60, 1, 0x7f, 1, 0x7d]), // run: (i32) -> f32
      ...section(3, [1, 0]),
      ...section(7, [1, 3, 114, 117, 110, 0, 0]),
      ...section(10, [1, ...unsigned(body.length), ...body]),
    ]),
  );
}

/** Processor time if available, which does not include other programs, else wall time, ms. */
const clock = globalThis.process?.cpuUsage
  ? () => {
      const { user, system } = process.cpuUsage(); // only their sum is exact
      return (user + system) / 1000;
    }
  : () => performance.now();

/** GFLOP/s of one thread, the best of `rounds` turns of each shape. A turn takes some milliseconds, because clocks of browsers are coarse. */
export function wasmPeak(rounds = 12, isFused = false) {
  const count = 300_000;
  const loops = shapes.map(([rows, columns]) => {
    const { run } = new WebAssembly.Instance(peakModule(rows, columns, isFused)).exports;
    // Engines recompile hot loops on another thread.
    for (const end = performance.now() + warmUp; performance.now() < end; ) run(count);
    return { run, flops: 2 * 4 * rows * columns * unrolled * count };
  });
  let best = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const { run, flops } of loops) {
      const begin = clock();
      run(count);
      best = Math.max(best, flops / (clock() - begin) / 1e6);
    }
  }
  return best;
}
