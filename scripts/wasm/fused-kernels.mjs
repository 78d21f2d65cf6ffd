// The register blocks of the matrix product once more, with the fused multiply-add of relaxed SIMD: a module of a kilobyte that travels in
// the SIMD file as a custom section named "fused", and puts its functions over theirs in the table of functions (web/engine/load/fused.ts;
// decision 10). Made from the finished file, because only that says which entries of the table they are.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { binaryen } from './binaryen.mjs';

/** block<1 and 2 rows, set and add> of cpp/src/kernels/panels.cpp have a multiply-add for each of their registers. */
const REGISTERS = [4, 4, 8, 8];
const PARAMETERS = ['i32', 'i32', 'i32', 'i32', 'f32', 'i32', 'i32'].join(' ');

/** Lists within lists of words. */
function parsed(text) {
  /** @type {any[]} */
  const open = [[]];
  for (const [word] of text.matchAll(/"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/g)) {
    if (word === '(') open.push([]);
    else if (word === ')') open.at(-2).push(open.pop());
    else open.at(-1).push(word);
  }
  return open[0][0];
}
const printed = (part) => (Array.isArray(part) ? `(${part.map(printed).join(' ')})` : part);

const assigns = (part, local) =>
  Array.isArray(part) && ((/^local\.(set|tee)$/.test(part[0]) && part[1] === local) || part.some((inner) => assigns(inner, local)));

/** A function whose sums of a local and a product are fused, and how many there were. */
function fused(body) {
  let count = 0;
  const visit = (part) => {
    if (!Array.isArray(part)) return part;
    const [name, sum, product] = part;
    if (name !== 'f32x4.add' || product?.[0] !== 'f32x4.mul') return part.map(visit);
    // The sum is read behind the factors now.
    if (sum[0] !== 'local.get' || assigns(product, sum[1])) throw new Error(`A product cannot be fused into ${printed(sum)}.`);
    count += 1;
    return ['f32x4.relaxed_fma', ...product.slice(1).map(visit), sum];
  };
  return { body: visit(body), count };
}

/** Binaryen 108 writes the number that the instruction had in an early draft; the operands, their order and the length are those of today. */
function todaysNumbers(bytes, count) {
  const [draft, today] = [Buffer.from([0xfd, 0xaf, 0x01]), Buffer.from([0xfd, 0x85, 0x02])];
  let found = 0;
  for (let at = bytes.indexOf(draft); at >= 0; at = bytes.indexOf(draft, at + 1)) {
    today.copy(bytes, at);
    found += 1;
  }
  if (found !== count) throw new Error(`${count} fused multiply-adds were written and ${found} found.`);
}

/** The module that replaces the blocks of a file, as bytes. */
function moduleFor(file) {
  const run = binaryen();
  const module = parsed(run('wasm-dis', [file]));
  const parts = (name) => module.filter(([kind]) => kind === name);
  const [[, , size]] = parts('table');
  const [[, at, ...entries]] = parts('elem');
  const ofBlocks = (body) => PARAMETERS === body.flatMap((part) => (part[0] === 'param' ? part[2] : [])).join(' ');
  const functions = new Map(
    parts('func')
      .filter(ofBlocks)
      .map((body) => [body[1], body]),
  );
  const blocks = entries.flatMap((name, index) =>
    functions.has(name) ? [{ ...fused(functions.get(name)), entry: Number(at[1]) + index }] : [],
  );
  const counts = blocks.map(({ count }) => count).sort((a, b) => a - b);
  if (String(counts) !== String(REGISTERS)) {
    throw new Error(
      `${file}: the table of functions has blocks with ${counts.join(', ') || 'no'} multiply-adds, not ${REGISTERS.join(', ')}.`,
    );
  }
  const text = `${file}.fused.wat`;
  const out = `${file}.fused`;
  const replaced = blocks.map(({ entry, body }) => `(elem (i32.const ${entry}) ${body[1]})\n${printed(body)}`);
  writeFileSync(text, `(module (import "e" "m" (memory 0)) (import "e" "t" (table ${size} funcref))\n${replaced.join('\n')})`);
  const passes = ['--dealign', '--generate-stack-ir', '--optimize-stack-ir'];
  run('wasm-opt', [text, '--enable-relaxed-simd', '--optimize-level=2', '--shrink-level=2', ...passes, '-o', out]);
  const bytes = readFileSync(out);
  for (const made of [text, out]) rmSync(made);
  todaysNumbers(
    bytes,
    counts.reduce((sum, count) => sum + count),
  );
  return bytes;
}

/** As WebAssembly writes whole numbers. */
const number = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...number(value >>> 7)]);

/** Adds the section to a finished SIMD file. */
export function addFusedKernels(file) {
  const bytes = moduleFor(file);
  if (!WebAssembly.validate(bytes)) setFlagsFromString('--experimental-wasm-relaxed-simd');
  if (!WebAssembly.validate(bytes)) throw new Error(`${file}: this Node does not accept the module with fused multiply-adds.`);
  const name = Buffer.from('fused');
  const content = [...number(name.length), ...name, ...bytes];
  writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from([0, ...number(content.length), ...content])]));
}
