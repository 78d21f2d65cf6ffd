// Native programs that read one prompt per line, each with one model: phasor_model_bench, and llama.cpp in Python (model_peer.py).
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../scripts/root.mjs';
import { configureAndBuild } from '../../scripts/wasm/cmake.mjs';

/** A Python with llama.cpp: PHASOR_PYTHON or that of the system. */
const python = () =>
  [process.env.PHASOR_PYTHON, 'python3'].find((name) => name && spawnSync(name, ['-c', 'import xllamacpp']).status === 0);

/** @param {string} command @param {string[]} words */
async function openProgram(command, words) {
  const program = spawn(command, words, { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  /** The next line of JSON; other lines are logs of the peer. */
  const next = async () => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('the program ended');
      if (value.startsWith('{')) return JSON.parse(value);
    }
  };
  const { what, limits } = await next();
  return {
    what,
    limits: limits && (() => limits),
    async generate({ ids, text }, count) {
      program.stdin.write(`${JSON.stringify({ ids, text, count })}\n`);
      const response = await next();
      if (response.fails) throw new Error(response.fails);
      return response;
    },
    close: () => program.stdin.end(),
  };
}

/** @param {import('./model.mjs').Engine[]} natives */
export async function nativeEngines(natives) {
  const options = { PHASOR_BENCH: 'ON', CMAKE_BUILD_TYPE: 'Release' };
  const folder = await configureAndBuild('native-release', { options, targets: ['phasor_model_bench'] });
  return natives.map((one) => ({
    ...one,
    async open() {
      if (one.name === 'phasor') return openProgram(join(folder, 'tests/bench/phasor_model_bench'), one.files);
      const interpreter = python();
      if (!interpreter) throw new Error('pip install xllamacpp');
      return openProgram(interpreter, [join(root, 'tests/bench/model_peer.py'), ...one.files]);
    },
  }));
}
