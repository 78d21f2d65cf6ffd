// The Node tests that `phasor doctor --write-test` writes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

interface Port {
  readonly name: string;
  readonly verdict: string;
  readonly words: readonly string[];
  javascript(isRight: boolean): string;
}
const { PORTS, dumpOf, npy } = (await import(join(process.cwd(), 'tests/doctor-ports.mjs'))) as {
  PORTS: readonly Port[];
  dumpOf: (port: Port) => Promise<{ [name: string]: object }>;
  npy: (tensor: object) => Buffer;
};

const folder = mkdtempSync(join(tmpdir(), 'phasor-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (words: readonly string[]) => spawnSync('node', words, { cwd: folder, encoding: 'utf8' });

it.each(PORTS.map((port) => [`${port.name}, ${port.verdict}`, port] as const))(
  'the test written for %s fails before the fix and passes after it',
  async (_, port) => {
    const files = Object.entries(await dumpOf(port)).map(([name, tensor]) => {
      writeFileSync(join(folder, `${name}.npy`), npy(tensor));
      return `${name}.npy`;
    });
    const test = `${port.name}-${port.verdict}.test.mjs`;
    const cli = join(process.cwd(), 'dist/npm/cli.js');
    const { stdout, stderr, status } = run([cli, 'doctor', ...files, ...port.words, '--write-test', test, '--port', './port.mjs:port']);
    expect(stdout, stderr).toContain(`${port.verdict}: `);
    expect(status).toBe(1);
    expect(statSync(join(folder, test.replace('.mjs', '-case.json'))).size).toBeLessThan(60_000);
    expect(readFileSync(join(folder, test), 'utf8')).not.toMatch(/from 'phasor/);
    for (const isRight of [false, true]) {
      writeFileSync(join(folder, 'port.mjs'), port.javascript(isRight));
      const result = run(['--test', test]);
      expect(result.status === 0, result.stdout).toBe(isRight);
    }
  },
);
