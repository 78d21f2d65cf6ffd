// `phasor doctor` on dumps of attention in transformers, correct and with faults. The pytest tests that it writes must fail before the fix and pass after
// it. Part of `npm run test:pytorch` if transformers and pytest are installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/root.mjs';
import { dumpOf, npy, PORTS } from '../doctor-ports.mjs';

const CLI = join(root, 'dist/npm/cli.js');
/** A port that rotates half-split pairs, as in the config of the dump, or interleaved ones. @param {boolean} isRight */
const port = (isRight) => `import torch

def rotate(x, positions):
    n = x.shape[-1] // 2
    angles = positions[:, None].double() * 10000.0 ** (-torch.arange(n) / n)
    cos, sin = angles.cos()[:, None].to(x.dtype), angles.sin()[:, None].to(x.dtype)
    a, b = ${isRight ? 'x[..., :n], x[..., n:]' : 'x[..., ::2], x[..., 1::2]'}
    turned = a * cos - b * sin, b * cos + a * sin
    return ${isRight ? 'torch.cat(turned, -1)' : 'torch.stack(turned, -1).flatten(-2)'}
`;

/** @param {string} python @returns the number of failures, or undefined without transformers or pytest */
export async function checkDoctor(python) {
  if (spawnSync(python, ['-c', 'import pytest, transformers']).status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'phasor-doctor-'));
  /** @param {string[]} words */
  const run = (words) =>
    spawnSync(python, words, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, OMP_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1', PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' },
    });
  let failureCount = 0;
  /** @param {boolean} isRight @param {string} message */
  const reportResult = (isRight, message) => {
    if (!isRight) failureCount += 1;
    console.log(`${isRight ? 'ok    ' : 'FAILED'} ${message}`);
  };
  try {
    const { status, stderr } = run([join(root, 'tests/pytorch/doctor_dumps.py'), 'dumps']);
    if (status !== 0) throw new Error(stderr);
    for (const name of readdirSync(join(folder, 'dumps')).sort()) {
      const dump = join(folder, 'dumps', name);
      const { verdict, params, layer } = JSON.parse(readFileSync(join(dump, 'expected.json'), 'utf8'));
      const words = [join(dump, 'q_before.npy'), join(dump, 'q_after.npy'), '--config', join(dump, 'config.json')];
      const result = spawnSync('node', [CLI, 'doctor', ...words, '--layer', String(layer), '--axes', 'heads,tokens,dim', '--json'], {
        encoding: 'utf8',
      });
      const report = result.stdout ? JSON.parse(result.stdout) : { sentence: result.stderr };
      const isRight = report.verdict === verdict && Object.entries(params).every(([param, value]) => report.params[param] === value);
      reportResult(isRight, `${name}: ${report.verdict}, ${report.sentence}`);
    }
    const dump = join(folder, 'dumps/mistral-other-pairs');
    const words = ['q_before.npy', 'q_after.npy'].map((file) => join(dump, file));
    const options = ['--config', join(dump, 'config.json'), '--layer', '0', '--axes', 'heads,tokens,dim'];
    spawnSync('node', [CLI, 'doctor', ...words, ...options, '--write-test', join(folder, 'test_rotation.py')]);
    for (const isRight of [false, true]) {
      writeFileSync(join(folder, 'port.py'), port(isRight));
      const result = run(['-m', 'pytest', '-q', 'test_rotation.py']);
      reportResult((result.status === 0) === isRight, `the written test ${isRight ? 'passes after' : 'fails before'} the fix`);
      if ((result.status === 0) !== isRight) console.log(result.stdout, result.stderr);
    }
    for (const port of PORTS) {
      const files = Object.entries(await dumpOf(port));
      for (const [name, tensor] of files) writeFileSync(join(folder, `${name}.npy`), npy(tensor));
      const names = files.map(([name]) => join(folder, `${name}.npy`));
      spawnSync('node', [CLI, 'doctor', ...names, ...port.words, '--write-test', join(folder, 'test_port.py')]);
      for (const isRight of [false, true]) {
        writeFileSync(join(folder, 'port.py'), port.python(isRight));
        const result = run(['-m', 'pytest', '-q', 'test_port.py']);
        const isAsExpected = result.status === (isRight ? 0 : 1);
        reportResult(isAsExpected, `${port.name}, ${port.verdict}: the written test ${isRight ? 'passes after' : 'fails before'} the fix`);
        if (!isAsExpected) console.log(result.stdout, result.stderr);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return failureCount;
}
