// Phasor as a stranger's C++ project uses it. The README's program, with the README's CMakeLists.txt, is built beside the sources by
// add_subdirectory and against what `cmake --install` leaves; a program with an Eigen of its own is built against the latter, too. The
// library is compiled once, without optimisation: nothing is inlined then, so what it would share with a program is there to be found.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './cmake.mjs';

const folder = join(root, 'build/package');

/** The first block of that language in the README. */
function readmeBlock(language) {
  const block = readFileSync(join(root, 'README.md'), 'utf8').match(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms'));
  if (!block) throw new Error(`README.md has no block of ${language}`);
  return block[1];
}

/** Writes the README's project. */
function project(name, cmake) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of [
    ['CMakeLists.txt', cmake],
    ['main.cpp', readmeBlock('cpp')],
  ]) {
    // A file that is as it was stays as old as it was, and is not compiled again.
    if (!existsSync(join(path, file)) || readFileSync(join(path, file), 'utf8') !== text) writeFileSync(join(path, file), text);
  }
  return path;
}

/** Builds a project and answers what its program printed. */
function output(source, tree, program, options) {
  run('cmake', ['-S', source, '-B', tree, '-G', 'Ninja', ...Object.entries(options).map(([key, value]) => `-D${key}=${value}`)]);
  run('cmake', ['--build', tree]);
  return run(join(tree, program), []).trim();
}

export function cppPackage() {
  const cmake = readmeBlock('cmake');
  const find = 'find_package(phasor CONFIG REQUIRED)\n';
  if (!cmake.includes(find)) throw new Error(`The CMakeLists.txt of README.md does not say ${find}`);
  const inside = join(folder, 'inside/build');
  const added = project('inside', cmake.replace(find, `add_subdirectory("${root}" phasor)\n`));
  const beside = output(added, inside, 'app', { PHASOR_INSTALL: 'ON' });
  if (existsSync(join(inside, 'compile_commands.json'))) throw new Error('Phasor makes a project write compile_commands.json');

  const prefix = join(folder, 'prefix');
  rmSync(prefix, { recursive: true, force: true });
  run('cmake', ['--install', inside, '--prefix', prefix]);
  const installed = output(project('outside', cmake), join(folder, 'outside/build'), 'app', { CMAKE_PREFIX_PATH: prefix });
  if (installed !== beside) throw new Error(`The README's program says\n${beside}\nby add_subdirectory, and installed\n${installed}`);
  console.log(`add_subdirectory, find_package: ${installed}`);

  console.log(output(join(root, 'tests/package'), join(folder, 'eigen'), 'beside_eigen', { CMAKE_PREFIX_PATH: prefix }));
  // The linker keeps one of several functions of a name. Nothing in ours may be called as a function of the program's Eigen is.
  const shared = run('nm', [join(inside, 'phasor/libphasor.a')]).match(/\b_Z\w*?(?<![0-9])5Eigen\w*/g);
  if (shared) throw new Error(`The library shares ${shared.length} names with the Eigen of a program: ${shared[0]}`);
  console.log('no function of the library has the name of one in Eigen');
}

if (process.argv[1] === import.meta.filename) cppPackage();
