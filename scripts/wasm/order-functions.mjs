// Orders the functions of a linked WebAssembly file so that gzip finds more of what they share, which it only does within 32 kB:
// 2.9 kB of 98 in the SIMD file (decision 8), and joins the data (one-data-segment.mjs). What they compute stays the same.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { binaryen } from './binaryen.mjs';
import { withOneDataSegment } from './one-data-segment.mjs';

/** A module as wasm-dis writes it: the lines of each function, those before the first and those behind the last. */
function parts(text) {
  const before = [];
  const functions = [];
  const behind = [];
  let at = before;
  for (const line of text.split('\n')) {
    if (line.startsWith(' (func ')) {
      at = [];
      functions.push(at);
    } else if (functions.length > 0 && /^( \(|\))/.test(line)) {
      at = behind;
    }
    at.push(line);
  }
  return { before, functions, behind };
}

/** What a function takes and returns: its first line without its number. */
const signature = (lines) => lines[0].replace(/^ \(func \S+/, '');

/** The bytes of each function of a file, in its order. */
function bodies(file) {
  const bytes = readFileSync(file);
  let at = 8; // behind the magic number and the version
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const code = 10;
  for (;;) {
    const section = bytes[at++];
    const size = number();
    if (section === code) break;
    at += size;
  }
  return Array.from({ length: number() }, () => {
    const size = number();
    at += size;
    return bytes.subarray(at - size, at);
  });
}

const runLength = 6; // which Node reads as one number; with 4 the file was 0.4 kB larger
const gzipWindow = 30000;

/** An order in which every function shares the largest part of its runs of bytes with those within the window before it. */
function chained(list) {
  const runs = list.map((body) => {
    const found = new Set();
    for (let at = 0; at + runLength <= body.length; at++) found.add(body.readUIntLE(at, runLength));
    return found;
  });
  const holders = new Map(); // the functions that have a run
  for (const [index, found] of runs.entries()) {
    for (const run of found) holders.get(run)?.push(index) ?? holders.set(run, [index]);
  }
  const near = new Map(); // how many functions of the window have a run
  const found = new Float64Array(list.length); // how many runs of a function are in the window
  const count = (runsOfOne, by) => {
    for (const run of runsOfOne) {
      const before = near.get(run) ?? 0;
      near.set(run, before + by);
      if (before === 0 || before + by === 0) for (const index of holders.get(run)) found[index] += by;
    }
  };
  // Long functions share a smaller part of themselves, but save more: by the plain part the SIMD file was 0.2 kB larger.
  const shared = (index) => found[index] / (runs[index].size + 1) ** 0.7;
  const order = [];
  const rest = new Set(list.keys());
  let first = 0;
  let size = 0;
  while (rest.size > 0) {
    let [best, most] = [-1, -1];
    for (const index of rest) {
      const part = shared(index);
      if (part > most) [best, most] = [index, part];
    }
    rest.delete(best);
    order.push(best);
    count(runs[best], 1);
    size += list[best].length;
    for (; size > gzipWindow; first++) {
      size -= list[order[first]].length;
      count(runs[order[first]], -1);
    }
  }
  return order;
}

/** Functions of one signature beside each other, short ones first; then, where the last bytes count, by what they share, of which the numbers of
 * the functions they call are part. A second and third round by the new numbers made files of 159 kB 0.2 kB smaller, and took as long each.
 * `renamed` has new letters for those of imports. */
function orderHere(file, { renamed = new Map(), isChained = true }) {
  const run = binaryen();
  const text = run('wasm-dis', [file]).replace(/^( \(import "\w+" )"(\w+)"/gm, (found, start, letter) =>
    renamed.has(letter) ? `${start}"${renamed.get(letter)}"` : found,
  );
  const { before: head, functions, behind } = parts(text);
  const before = withOneDataSegment(head);
  const wat = `${file}.wat`;
  const assemble = (order) => {
    writeFileSync(wat, [before, ...order, behind].flat().join('\n'));
    // Emscripten lost the two passes of the stack when it dropped what JavaScript does not call. -O itself would bring the old order back.
    // Engines ignore what a file says of alignment, so that it may say the same everywhere.
    const passes = ['--dealign', '--generate-stack-ir', '--optimize-stack-ir'];
    run('wasm-opt', [wat, '--optimize-level=2', '--shrink-level=2', ...passes, '-o', file]);
  };
  const order = functions.sort((a, b) => signature(a).localeCompare(signature(b), 'en') || a.length - b.length);
  assemble(order);
  if (isChained) assemble(chained(bodies(file)).map((index) => order[index]));
  rmSync(wat);
}

/** The same in a thread of its own, so that several files keep several processors busy. @returns {Promise<void>} */
export const orderFunctions = (file, options = {}) =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: { toOrder: file, options } });
    thread.on('error', reject);
    thread.on('exit', () => resolve());
  });

if (!isMainThread && workerData?.toOrder) orderHere(workerData.toOrder, workerData.options);
