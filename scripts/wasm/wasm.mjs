// Builds build/wasm: phasor.wasm, phasor-nn.wasm (with training) and phasor-model.wasm (published models), and in build/wasm/glue their JavaScript
// from Emscripten and the fused kernels as a string. They are compiled from the sources, or copied from the folder in PHASOR_WASM. The glue is in a
// separate folder, so that bundlers do not ship a second copy of the file whose address it contains.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { contentDigest } from '../digest.mjs';
import { withLock } from '../lock.mjs';
import { root } from '../root.mjs';
import { configureAndBuild, emscriptenEnvironment } from './cmake.mjs';
import { fusedKernels } from './fused-kernels.mjs';
import { withOneDataSegment } from './one-data-segment.mjs';

export const wasmFolder = join(root, 'build/wasm');
/** The WebAssembly files, each with its own glue. */
const PROGRAMS = ['phasor', 'phasor-nn', 'phasor-model'];
const FUSED = 'glue/fused-kernels.mjs';
const FILES = [...PROGRAMS.flatMap((program) => [`${program}.wasm`, `glue/${program}.mjs`]), FUSED];
/** A digest of the sources that the files were made from. The package contains it too. */
const STAMP = 'made-from.txt';
/** All files, by their paths in build/wasm. A package has them in one folder. */
export const WASM_FILES = [...FILES, STAMP];

/** The version in package.json is written into the files; its lock file pins Binaryen. */
const SOURCES = ['CMakeLists.txt', 'cmake', 'cpp', 'package.json', 'scripts/wasm'];
const sourcesNow = () => contentDigest(SOURCES);

/** @param {string} folder @returns {string | undefined} */
const stampOf = (folder) => (existsSync(join(folder, STAMP)) ? readFileSync(join(folder, STAMP), 'utf8') : undefined);

/** Whether the files exist and were built from the current sources. */
export const isWasmCurrent = () => FILES.every((name) => existsSync(join(wasmFolder, name))) && stampOf(wasmFolder) === sourcesNow();

/**
 * Copies prebuilt files, for work on pages and chapters without a C++ compiler.
 * @param {string} folder build/wasm of another clone, or an unpacked npm package of Phasor
 */
function takeFinished(folder) {
  /** @param {string} name */
  const placeOf = (name) => [name, basename(name)].map((path) => join(folder, path)).find((path) => existsSync(path));
  const missing = FILES.find((name) => !placeOf(name));
  if (missing)
    throw new Error(
      `PHASOR_WASM: ${folder} has no ${basename(missing)}; expected a folder with ${FILES.map((name) => basename(name)).join(', ')}`,
    );
  for (const name of FILES) copyFileSync(/** @type {string} */ (placeOf(name)), join(wasmFolder, name));
  const stamp = stampOf(folder);
  if (stamp) writeFileSync(join(wasmFolder, STAMP), stamp);
  else rmSync(join(wasmFolder, STAMP), { force: true });
  if (stamp === sourcesNow()) return;
  const why = stamp ? 'was made from other C++ sources than these' : 'does not say which C++ sources it was made from';
  console.warn(`The WebAssembly of ${folder} ${why}: results may differ from those of the sources.`);
}

/** Prints the version of Emscripten. Throws if it is missing, or cannot compile and link an empty program. */
function checkEmscripten() {
  const version = spawnSync('em++', ['--version'], { encoding: 'utf8', env: emscriptenEnvironment });
  const folder = mkdtempSync(join(tmpdir(), 'phasor-'));
  try {
    const program = ['-x', 'c++', '-', '-o', join(folder, 'program.mjs')];
    const { status, stderr, error } = spawnSync('em++', program, { encoding: 'utf8', input: 'int main() {}', env: emscriptenEnvironment });
    if (status === 0) return console.log(`wasm: compiling with ${version.stdout.split('\n')[0]}`);
    const lines = `${stderr ?? ''}\n${error?.message ?? ''}`.split('\n').filter(Boolean);
    throw new Error(
      `em++ on the PATH cannot compile an empty program (${lines.find((line) => /error/i.test(line)) ?? lines[0] ?? 'it says nothing'}); ` +
        'expected Emscripten 3.1.6 or newer (Debian: the package emscripten; or emsdk, Homebrew). ' +
        'Work that changes no C++ can use finished files: PHASOR_WASM=FOLDER npm start',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compile() {
  checkEmscripten();
  const folder = await configureAndBuild('wasm-tree', { wasm: true, options: { PHASOR_TESTS: 'OFF' } });
  const created = join(folder, 'cpp/wasm');
  for (const program of PROGRAMS) {
    writeFileSync(join(wasmFolder, `${program}.wasm`), withOneDataSegment(readFileSync(join(created, `${program}.wasm`))));
    copyFileSync(join(created, `${program}.mjs`), join(wasmFolder, `glue/${program}.mjs`));
  }
  const fused = Buffer.from(fusedKernels(readFileSync(join(created, 'fused-kernels.wasm'))));
  writeFileSync(join(wasmFolder, FUSED), `export default '${fused.toString('base64')}';\n`);
}

/** Builds the files unless they are current. A concurrent build waits for the first. */
export async function buildWasm() {
  mkdirSync(join(wasmFolder, 'glue'), { recursive: true });
  // npm changes to the project's folder; the path is relative to the caller's.
  if (process.env.PHASOR_WASM) return takeFinished(resolve(process.env.INIT_CWD ?? process.cwd(), process.env.PHASOR_WASM));
  if (isWasmCurrent()) return;
  await withLock(join(root, 'build/wasm.lock'), 'wasm', async () => {
    if (isWasmCurrent()) return;
    const sources = sourcesNow();
    rmSync(join(wasmFolder, STAMP), { force: true });
    await compile();
    writeFileSync(join(wasmFolder, STAMP), sources);
  });
}

if (process.argv[1] === import.meta.filename) await buildWasm();
