// Joins the data of a WebAssembly file into one segment, with the zeros between. Binaryen leaves zeros out, 800 times in the SIMD file, and says where
// the next bytes begin: the file is shorter so, but gzip writes a run of zeros in less than such a number, 3.0 kB of 113 altogether (decision 8).

const SEGMENT = /^ \(data \(i32\.const (\d+)\) "(.*)"\)$/;
/** A byte as wasm-dis writes it: two hexadecimal digits, a letter behind a backslash, or itself. */
const BYTE = /\\[0-9a-f]{2}|\\.|[^\\]/g;

/**
 * @param {string[]} lines of a module as wasm-dis writes it, where segments stand in the order of their addresses
 * @returns {string[]} the same with one segment
 */
export function withOneDataSegment(lines) {
  const first = lines.findIndex((line) => line.startsWith(' (data'));
  /** @type {[line: string, at: number, text: string][]} */
  const segments = lines
    .filter((line) => line.startsWith(' (data'))
    .map((line) => {
      const [, at, text] = SEGMENT.exec(line) ?? [];
      if (text === undefined) throw new Error(`This is no segment of data as wasm-dis writes it: ${line.slice(0, 80)}`);
      return [line, Number(at), text];
    });
  const [start] = segments.map(([, at]) => at);
  let end = start;
  let joined = '';
  for (const [, at, text] of segments) {
    if (at < end) throw new Error(`The data at ${at} begin before the end of those ahead, ${end}.`);
    joined += '\\00'.repeat(at - end) + text;
    end = at + (text.match(BYTE) ?? []).length;
  }
  const others = lines.filter((line) => !line.startsWith(' (data'));
  return others.toSpliced(first, 0, ` (data (i32.const ${start}) "${joined}")`);
}
