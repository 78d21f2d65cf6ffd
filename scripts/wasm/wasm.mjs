// build/wasm: phasor-simd.wasm, phasor-scalar.wasm, the same with all that trains (phasor-nn-...), and the glue they share, compiled from the
// sources, or taken from the folder that PHASOR_WASM names.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { contentDigest } from '../digest.mjs';
import { root } from '../root.mjs';
import { configureAndBuild } from './cmake.mjs';
import { addFusedKernels } from './fused-kernels.mjs';
import { orderFunctions } from './order-functions.mjs';

export const wasmFolder = join(root, 'build/wasm');
const GLUE = 'glue.mjs';
/** phasor-nn has what phasor has, and what trains. */
const PROGRAMS = ['phasor', 'phasor-nn'];
const VARIANTS = ['simd', 'scalar'];
const FILES = [GLUE, ...PROGRAMS.flatMap((program) => VARIANTS.map((variant) => `${program}-${variant}.wasm`))];
/** What the files beside it were made from: a digest of the sources. The package has it too. */
const STAMP = 'made-from.txt';
export const WASM_FILES = [...FILES, STAMP];

/** What the files are made from; the version in package.json is written into them. */
const SOURCES = ['CMakeLists.txt', 'cmake', 'cpp', 'package.json', 'scripts/wasm'];
const sourcesNow = () => contentDigest(SOURCES);

const stampOf = (folder) => (existsSync(join(folder, STAMP)) ? readFileSync(join(folder, STAMP), 'utf8') : undefined);

/** Whether the files are there and made from the sources as they are. */
export const isWasmCurrent = () => FILES.every((name) => existsSync(join(wasmFolder, name))) && stampOf(wasmFolder) === sourcesNow();

/** Takes finished files, for work on pages and chapters, which needs no compiler of C++. */
function takeFinished(folder) {
  const missing = FILES.find((name) => !existsSync(join(folder, name)));
  if (missing)
    throw new Error(
      `PHASOR_WASM: ${folder} has no ${missing}; it takes a folder with ${FILES.join(', ')}, such as an unpacked npm package of Phasor`,
    );
  for (const name of FILES) copyFileSync(join(folder, name), join(wasmFolder, name));
  const stamp = stampOf(folder);
  if (stamp) writeFileSync(join(wasmFolder, STAMP), stamp);
  else rmSync(join(wasmFolder, STAMP), { force: true });
  if (stamp === sourcesNow()) return;
  const why = stamp ? 'was made from other C++ sources than these' : 'does not say which C++ sources it was made from';
  console.warn(`The WebAssembly of ${folder} ${why}: what is computed may differ from what the sources say.`);
}

/** The glue is changed below, the linker wraps functions of Embind, and the files are patched: all of it was written for these versions. */
const EMSCRIPTEN = ['3.1.6'];

function checkEmscripten() {
  const [, version] = /\b(\d+\.\d+\.\d+)\b/.exec(spawnSync('em++', ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  if (EMSCRIPTEN.includes(version)) return;
  throw new Error(
    `em++ on the PATH is ${version ? `Emscripten ${version}` : 'missing or says no version'}; Phasor is compiled by Emscripten ${EMSCRIPTEN.join(' or ')} (Debian 12 has it, emsdk installs it by number). ` +
      'Work that changes no C++ can use finished files: PHASOR_WASM=FOLDER npm start',
  );
}

/**
 * What is changed in the glue: our loader always hands over the instance. Each has to be there, or the glue is not the one that this was written for.
 * @type {[found: RegExp, instead: string][]}
 */
const CHANGES = [
  // A bundler that saw the address would ship the file a second time.
  [/new URL\("phasor-(?:nn-)?(simd|scalar)\.wasm", ?import\.meta\.url\)\.(toString\(\)|href)/g, '"phasor.wasm"'],
  [/phasor-(?:nn-)?(simd|scalar)/g, 'phasor'],
  [/import\.meta\.url/g, '""'],
  // Nothing is read by name then: minifiers leave out what would.
  [/ENVIRONMENT_IS_WEB=typeof window=="object"/g, 'ENVIRONMENT_IS_WEB=false'],
  [/ENVIRONMENT_IS_WORKER=typeof importScripts=="function"/g, 'ENVIRONMENT_IS_WORKER=false'],
  [/instantiateAsync\(\)\.catch\(readyPromiseReject\);return\{\}/g, ''],
];

/** The glue without the address of its WebAssembly, and without what would fetch it. */
function neutral(glue) {
  let text = glue;
  for (const [found, instead] of CHANGES) {
    const changed = text.replaceAll(found, instead);
    if (changed === text)
      throw new Error(`The glue that Emscripten wrote has no ${found.source}, which has to become ${JSON.stringify(instead)}`);
    text = changed;
  }
  return text;
}

/** The list of functions that the WebAssembly imports from the glue, each under a letter: {"a": _abort, ...}. */
function importList(glue) {
  const [list] = /asmLibraryArg ?= ?\{[^}]*\}/.exec(glue) ?? [];
  if (!list) throw new Error('The glue that Emscripten wrote has no list of what its WebAssembly imports');
  return list;
}
const importsOf = (glue) => new Map([...importList(glue).matchAll(/"(\w+)": ?(\w+)/g)].map(([, letter, name]) => [name, letter]));

/** What an exported function of these types is called by, which none of ours is. */
const DYN_CALL =
  /var dynCall_\w+ ?= ?Module\["dynCall_\w+"\] ?= ?function\(\) ?\{return ?\(dynCall_\w+ ?= ?[^;]*?\)\.apply\(null, ?arguments\)\};/g;

/**
 * Emscripten gives the shortest letters to what a program imports most often, so those of two programs differ.
 * @returns the letters of `first` for those of `glue`, and the glue with them
 */
function withLettersOf(first, glue) {
  const [letters, own] = [importsOf(first), importsOf(glue)];
  const renamed = new Map([...own].map(([name, letter]) => [letter, letters.get(name)]));
  const list = importList(glue);
  const changed = list.replace(/"(\w+)":/g, (_, letter) => `"${renamed.get(letter)}":`);
  return { renamed, glue: glue.replace(list, () => changed).replace(DYN_CALL, '') };
}

async function compile() {
  checkEmscripten();
  const build = async (variant) => {
    const options = { PHASOR_WASM_SIMD: variant === 'simd' ? 'ON' : 'OFF', PHASOR_TESTS: 'OFF' };
    const folder = await configureAndBuild(`wasm-${variant}`, { wasm: true, options });
    const glueOf = (program) => readFileSync(join(folder, `cpp/wasm/${program}-${variant}.mjs`), 'utf8');
    const finish = async (program) => {
      const name = `${program}-${variant}`;
      const file = join(wasmFolder, `${name}.wasm`);
      const { renamed, glue } = withLettersOf(glueOf(PROGRAMS[0]), glueOf(program));
      copyFileSync(join(folder, `cpp/wasm/${name}.wasm`), file);
      // Whoever trains waits for the training, so what is compiled here waits less for the last bytes of that file.
      await orderFunctions(file, { renamed, isChained: program === PROGRAMS[0] });
      if (variant === 'simd') addFusedKernels(file);
      return { name, glue: neutral(glue) };
    };
    return Promise.all(PROGRAMS.map(finish));
  };
  // One glue serves all files only while they import and export the same names, so a difference stops the build.
  const [first, ...others] = (await Promise.all(VARIANTS.map(build))).flat();
  const other = others.find(({ glue }) => glue !== first.glue);
  if (other) throw new Error(`The glue of ${first.name} and that of ${other.name} differ; they can no longer share one.`);
  writeFileSync(join(wasmFolder, GLUE), first.glue);
}

/** Makes the files, if they are not there already and made from the sources as they are. */
export async function buildWasm() {
  mkdirSync(wasmFolder, { recursive: true });
  // npm changes to the folder of the project; the path was typed in another one.
  if (process.env.PHASOR_WASM) return takeFinished(resolve(process.env.INIT_CWD ?? process.cwd(), process.env.PHASOR_WASM));
  if (isWasmCurrent()) return;
  const sources = sourcesNow();
  rmSync(join(wasmFolder, STAMP), { force: true });
  await compile();
  writeFileSync(join(wasmFolder, STAMP), sources);
}

if (process.argv[1] === import.meta.filename) await buildWasm();
