// Tests Phasor in another C++ project. Clang compiles the library in the README's project, with add_subdirectory, and GCC compiles it as for the
// tests. Both are installed, and the other compiler builds programs against each: the README's, one that receives errors and values from the library,
// and one with another Eigen. Clang does not optimize the library: without inlining, every symbol that it could share with a program is visible.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { run, runBeside } from '../run.mjs';
import { bothCompilers } from '../setup/compilers.mjs';
import { buildGccTests } from './cpp-tests.mjs';

const folder = join(root, 'build/package');

/** The first code block of a language in a document. @param {string} document @param {string} language */
function blockOf(document, language) {
  const [, block] = readFileSync(join(root, document), 'utf8').match(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms')) ?? [];
  if (block === undefined) throw new Error(`${document}: the page has no block of ${language}`);
  return block;
}

/** Writes the README's project. @param {string} name @param {string} cmake the text of CMakeLists.txt @returns {string} the folder */
function project(name, cmake) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries({ 'CMakeLists.txt': cmake, 'main.cpp': blockOf('README.md', 'cpp') })) {
    // An unchanged file keeps its time stamp and is not compiled again.
    if (!existsSync(join(path, file)) || readFileSync(join(path, file), 'utf8') !== text) writeFileSync(join(path, file), text);
  }
  return path;
}

/**
 * Builds a project and runs its programs.
 * @param {string} source
 * @param {string} tree
 * @param {string} compiler
 * @param {string[]} programs
 * @param {Record<string, string>} options of CMake
 * @returns {Promise<string[]>} the output of each program
 */
async function outputs(source, tree, compiler, programs, options) {
  const env = { ...process.env, CXX: compiler };
  const values = Object.entries(options).map(([key, value]) => `-D${key}=${value}`);
  await runBeside('cmake', ['-S', source, '-B', tree, '-G', 'Ninja', ...values], { env });
  await runBeside('cmake', ['--build', tree]);
  return programs.map((program) => run(join(tree, program), []).trim());
}

/** Installs a tree and checks the licences of its dependencies. @param {string} tree @param {string} name @returns {string} the prefix */
function install(tree, name) {
  const prefix = join(folder, name);
  rmSync(prefix, { recursive: true, force: true });
  run('cmake', ['--install', tree, '--prefix', prefix]);
  const licence = (/** @type {string} */ file) => readFileSync(join(prefix, 'share/licenses/phasor', file), 'utf8');
  if (!licence('LICENSE').startsWith('MIT License')) throw new Error('The installed LICENSE is not that of Phasor');
  if (!licence('third-party.txt').includes('Eigen')) throw new Error('third-party.txt does not name Eigen, which is compiled in');
  if (!licence('MPL-2.0.txt').startsWith('Mozilla Public License Version 2.0')) throw new Error('The licence of Eigen is not installed');
  return prefix;
}

/**
 * The linker keeps one of several functions with the same name, so the library must not define functions of Eigen under their usual names.
 * @param {string} archive
 */
function checkNames(archive) {
  const shared = run('nm', [archive]).match(/\b_Z\w*?(?<![0-9])5Eigen\w*/g);
  if (shared) throw new Error(`${archive} defines ${shared.length} functions of Eigen under their usual names: ${shared[0]}`);
}

/** Checks that the preset of docs/cpp.md, which users configure, has no -Werror. */
function checkPreset() {
  const tree = join(folder, 'preset');
  run('cmake', ['--preset', 'native', '-B', tree]);
  if (!readFileSync(join(tree, 'CMakeCache.txt'), 'utf8').includes('PHASOR_WERROR:BOOL=OFF'))
    throw new Error('The preset native treats warnings as errors');
}

export async function cppPackage() {
  checkPreset();
  const { gcc: byGcc, clang: byClang } = bothCompilers();
  const cmake = blockOf('docs/cpp.md', 'cmake');
  const find = 'find_package(phasor CONFIG REQUIRED)\n';
  if (!cmake.includes(find)) throw new Error(`The CMakeLists.txt of docs/cpp.md does not contain ${find}`);
  const inside = join(folder, 'inside/build');
  const added = project('inside', cmake.replace(find, `add_subdirectory("${root}" phasor)\n`));
  const [beside] = await outputs(added, inside, byClang, ['app'], { PHASOR_INSTALL: 'ON' });
  if (existsSync(join(inside, 'compile_commands.json'))) throw new Error('Phasor makes a project write compile_commands.json');

  const { folder: tests } = await buildGccTests(['phasor']);
  for (const archive of [join(inside, 'phasor/libphasor.a'), join(tests, 'libphasor.a')]) checkNames(archive);
  const libraries = [
    { by: 'Clang', prefix: install(inside, 'by-clang'), other: 'GCC', compiler: byGcc },
    { by: 'GCC', prefix: install(tests, 'by-gcc'), other: 'Clang', compiler: byClang },
  ];
  const outside = project('outside', cmake);
  // In parallel, because configuring uses one processor.
  const runs = libraries.map(async ({ by, prefix, other, compiler }) => {
    const tree = (/** @type {string} */ name) => join(folder, `${name}-by-${other.toLowerCase()}`);
    const options = { CMAKE_PREFIX_PATH: prefix };
    const [[app], [across, eigen]] = await Promise.all([
      outputs(outside, tree('outside'), compiler, ['app'], options),
      outputs(join(root, 'tests/package'), tree('programs'), compiler, ['across', 'beside_eigen'], options),
    ]);
    if (app !== beside)
      throw new Error(`The README's program prints\n${beside}\nwith add_subdirectory, and with the installed library of ${by}\n${app}`);
    console.log(`a library by ${by} and programs by ${other}: ${app}; ${eigen}`);
    return across;
  });
  const outputsByLibrary = await Promise.all(runs);
  if (outputsByLibrary[0] !== outputsByLibrary[1])
    throw new Error(
      `A GCC program with a Clang library prints\n${outputsByLibrary[0]}\nand a Clang program with a GCC library\n${outputsByLibrary[1]}`,
    );
  console.log('add_subdirectory and both compilers give the same output; no function of the library has the name of one in Eigen');
}

if (process.argv[1] === import.meta.filename) await cppPackage();
