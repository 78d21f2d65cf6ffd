// The tools of Binaryen that Emscripten brings along, told what our WebAssembly uses.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const features = [
  '--enable-simd',
  '--enable-mutable-globals',
  '--enable-sign-ext',
  '--enable-bulk-memory',
  '--enable-nontrapping-float-to-int',
];

/** @returns {(tool: string, args: string[]) => string} runs a tool and answers what it prints */
export function binaryen() {
  const folder = execFileSync('em-config', ['BINARYEN_ROOT'], { encoding: 'utf8' }).trim();
  return (tool, args) => execFileSync(join(folder, 'bin', tool), [...args, ...features], { encoding: 'utf8', maxBuffer: 1 << 28 });
}
