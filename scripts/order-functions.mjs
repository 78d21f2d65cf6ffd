// Orders the functions of a linked WebAssembly file so that gzip finds more of what they share, which it only does within 32 kB:
// 1.8 kB of 91 in the SIMD file (decision 8). What they compute stays the same.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const features = ['--enable-simd', '--enable-mutable-globals', '--enable-sign-ext', '--enable-bulk-memory'];

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

/** Functions of one signature beside each other, short ones first. */
export function orderFunctions(file) {
  const binaryen = execFileSync('em-config', ['BINARYEN_ROOT'], { encoding: 'utf8' }).trim();
  const run = (tool, args) => execFileSync(join(binaryen, 'bin', tool), [...args, ...features], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const { before, functions, behind } = parts(run('wasm-dis', [file]));
  functions.sort((a, b) => signature(a).localeCompare(signature(b), 'en') || a.length - b.length);
  const text = `${file}.wat`;
  writeFileSync(text, [before, ...functions, behind].flat().join('\n'));
  // Emscripten lost these two passes when it dropped what JavaScript does not call. -O itself would bring the old order back.
  run('wasm-opt', [text, '--optimize-level=2', '--shrink-level=2', '--generate-stack-ir', '--optimize-stack-ir', '-o', file]);
  rmSync(text);
}
