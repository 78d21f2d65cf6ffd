// Brings a machine that has only Node and git to the point where the project builds: `node scripts/setup/setup.mjs [build|test|bench|aarch64]`.
// Uses Node built-ins only, because it runs before node_modules exists. What is already there is never touched. With finished WebAssembly (PHASOR_WASM,
// see wasm.mjs) pages and package need no compilers.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { chromiumPath, firefoxPath } from './browsers.mjs';
import { clang, gcc } from './compilers.mjs';

/** Each needs what the ones before it need. */
const purposes = ['build', 'test', 'bench', 'aarch64'];
const purpose = process.argv[2] ?? 'test';
if (!purposes.includes(purpose)) {
  console.error(`${purpose} is nothing to set up for. Usage: node scripts/setup/setup.mjs [${purposes.join(' | ')}]`);
  process.exit(2);
}

const onPath = (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
const file = (...paths) => paths.some((path) => existsSync(path));
// Libraries are found in the usual prefixes of Debian and Homebrew; CMake looks by itself afterwards.
const prefixes = ['/usr', '/usr/local', '/opt/homebrew'];
const header = (name) => file(...prefixes.map((prefix) => `${prefix}/include/${name}`));

function hasSanitizers() {
  const compiler = clang();
  if (!compiler) return false;
  const folder = mkdtempSync(join(tmpdir(), 'phasor-'));
  const words = ['-fsanitize=thread', '-x', 'c++', '-', '-o', join(folder, 'program')];
  const { status } = spawnSync(compiler, words, { input: 'int main() {}' });
  rmSync(folder, { recursive: true });
  return status === 0;
}

/** Everything outside npm: how to see it, and what it is called in each package manager. */
const needs = [
  { for: 'build', what: 'a C++20 compiler', here: () => onPath('g++') || onPath('clang++'), apt: 'g++', brew: 'llvm' },
  { for: 'build', what: 'CMake', here: () => onPath('cmake'), apt: 'cmake', brew: 'cmake' },
  { for: 'build', what: 'Ninja', here: () => onPath('ninja'), apt: 'ninja-build', brew: 'ninja' },
  { for: 'build', what: 'Emscripten', here: () => onPath('em++'), apt: 'emscripten', brew: 'emscripten' },
  { for: 'build', what: 'Eigen', here: () => header('eigen3/Eigen/Core'), apt: 'libeigen3-dev', brew: 'eigen' },
  { for: 'test', what: 'GCC', here: () => gcc() !== undefined, apt: 'g++', brew: 'gcc' },
  { for: 'test', what: 'Clang', here: () => clang() !== undefined, apt: 'clang', brew: 'llvm' },
  // Debian recommends them beside Clang, and recommendations are not installed here.
  { for: 'test', what: "Clang's sanitizers", here: hasSanitizers, apt: 'libclang-rt-dev', brew: 'llvm' },
  {
    for: 'test',
    what: 'GoogleTest (with its sources)',
    here: () => file('/usr/src/googletest/googletest/src/gtest-all.cc'),
    apt: 'libgtest-dev',
    brew: 'googletest',
  },
  { for: 'test', what: 'nlohmann JSON', here: () => header('nlohmann/json.hpp'), apt: 'nlohmann-json3-dev', brew: 'nlohmann-json' },
  { for: 'test', what: 'clang-format', here: () => onPath('clang-format'), apt: 'clang-format', brew: 'clang-format' },
  {
    for: 'test',
    what: 'Python with NumPy',
    here: () => ['python3', '/usr/bin/python3'].some((name) => spawnSync(name, ['-c', 'import numpy']).status === 0),
    apt: 'python3-numpy',
    brew: 'numpy',
  },
  { for: 'test', what: 'Chromium', here: () => chromiumPath() !== undefined, apt: 'chromium', brew: 'chromium' },
  { for: 'test', what: 'Firefox ESR', here: () => firefoxPath() !== undefined, apt: 'firefox-esr', brew: 'firefox' },
  {
    for: 'bench',
    what: 'Google Benchmark',
    here: () => header('benchmark/benchmark.h'),
    apt: 'libbenchmark-dev',
    brew: 'google-benchmark',
  },
  // Linux only: QEMU runs no single programs elsewhere.
  { for: 'aarch64', what: 'g++ for AArch64', here: () => onPath('aarch64-linux-gnu-g++'), apt: 'g++-aarch64-linux-gnu' },
  { for: 'aarch64', what: 'QEMU', here: () => onPath('qemu-aarch64') || onPath('qemu-aarch64-static'), apt: 'qemu-user' },
];

/** What makes tests cheaper and is not in every system; without it they run all the same. */
const wishes = [{ here: () => onPath('chromium-headless-shell'), apt: 'chromium-headless-shell' }];

function installSystemPackages() {
  if (purpose === 'build' && process.env.PHASOR_WASM) return;
  const missing = needs.filter((need) => purposes.indexOf(need.for) <= purposes.indexOf(purpose) && !need.here());
  if (missing.length === 0) return;
  const packages = missing.map((need) => need.apt);
  const isRoot = process.getuid?.() === 0;
  const sudo = !isRoot && onPath('sudo') && spawnSync('sudo', ['-n', 'true']).status === 0;
  if (!onPath('apt-get') || !(isRoot || sudo)) {
    console.error(
      [
        `Phasor needs ${missing.map((need) => need.what).join(', ')}, and this script may not install packages here. Please run one of:`,
        `  Debian, Ubuntu: sudo apt-get install ${packages.join(' ')}`,
        `  macOS:          brew install ${missing.flatMap((need) => need.brew ?? []).join(' ')}`,
        '  Emscripten alone can also come from emsdk: any em++ on the PATH is used as it is.',
      ].join('\n'),
    );
    process.exit(1);
  }
  console.log(`setup: installing ${packages.join(' ')} with apt-get`);
  const apt = (...words) => {
    const command = [...(sudo ? ['sudo', '-n'] : []), 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-y', ...words];
    const { status } = spawnSync(command[0], command.slice(1), { stdio: ['ignore', process.env.CI ? 'ignore' : 'inherit', 'inherit'] });
    return status === 0;
  };
  const must = (...words) => {
    if (apt(...words)) return;
    console.error(`setup: apt-get ${words[0]} failed; what it printed says why. Missing are: ${packages.join(' ')}`);
    process.exit(1);
  };
  must('update');
  must('install', '--no-install-recommends', ...packages);
  if (purpose === 'build') return;
  const known = wishes.filter((wish) => !wish.here() && spawnSync('apt-cache', ['show', wish.apt]).status === 0);
  if (known.length > 0) apt('install', '--no-install-recommends', ...known.map((wish) => wish.apt));
}

/** @param {string} folder with a package.json and its lock file */
function installNodePackages(folder) {
  const stamp = join(folder, 'node_modules', '.phasor-lock');
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).update(process.version).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  console.log('setup: npm ci');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  writeFileSync(stamp, hash);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Phasor needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}
installSystemPackages();
installNodePackages(root);
if (purpose === 'bench') installNodePackages(join(root, 'tests/bench'));
