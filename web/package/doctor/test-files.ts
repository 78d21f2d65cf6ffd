// The test that the doctor writes: a file with numbers, and a program that compares a function of the port with them.

import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { CaseTensor, TestCase } from '../../engine/doctor/test-case.ts';
import { javascript, python, SIGNATURES } from './test-programs.ts';

const isTensor = (value: unknown): value is CaseTensor => typeof value === 'object' && value !== null && 'data' in value;
/** Converts numbers to little-endian float32 in base64. */
const encode = (value: TestCase['expected'] | TestCase['inputs'][string]) =>
  isTensor(value)
    ? { shape: value.shape, base64: Buffer.from(value.data.buffer, value.data.byteOffset, value.data.byteLength).toString('base64') }
    : value;

/** The numbers of a test as JSON. */
const caseText = ({ tested, dtype, inputs, expected, rows, tolerances }: TestCase) => {
  const values = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, encode(value)]));
  return JSON.stringify({ tested, dtype, inputs: values, expected: encode(expected), rows, tolerances });
};

/** Writes the test, and its numbers into a file in the same folder. Returns the names of both files. */
export async function writeTestFiles(path: string, port: string | undefined, testCase: TestCase, claim: string): Promise<string[]> {
  const isPython = path.endsWith('.py');
  const { python: pythonName, javascript: ownName } = SIGNATURES[testCase.tested];
  const [, module = isPython ? 'port' : './port.mjs', name = isPython ? pythonName : ownName] = /^(.+):(\w+)$/.exec(port ?? '') ?? [];
  const file = `${basename(path).replace(/\.(py|mjs)$/, '')}-case.json`;
  const title = `Written by phasor doctor. It passes if ${name} complies with the claim: ${claim}.`;
  await writeFile(path, (isPython ? python : javascript)({ title, file, module, name, found: testCase }));
  const casePath = join(dirname(path), file);
  await writeFile(casePath, `${caseText(testCase)}\n`);
  return [path, casePath];
}
