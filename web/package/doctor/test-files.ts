// The test that the doctor writes: a file of numbers, and a program of twenty lines that compares the function of a port with them.

import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { TestCase } from '../../engine/doctor/test-case.ts';

const base64 = (data: Float32Array) => Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');

/** The numbers of a test as JSON: float32, little-endian, in base64. */
const caseText = ({ before, expected, ...rest }: TestCase) =>
  JSON.stringify({ ...rest, before: base64(before), expected: base64(expected) });

const TORCH: { readonly [dtype: string]: string } = { f32: 'float32', f16: 'float16', bf16: 'bfloat16' };

const python = (title: string, file: string, [module, name]: readonly [string, string], { dtype }: TestCase) => `# ${title}
import base64
import json
import pathlib

import torch
from ${module} import ${name}  # ${name}(x, positions) -> rotated x, [tokens, heads, dim]

case = json.loads(pathlib.Path(__file__).with_name("${file}").read_text())


def tensor(name):
    data = bytearray(base64.b64decode(case[name]))
    return torch.frombuffer(data, dtype=torch.float32).reshape(case["shape"])


def test_rotation():
    found = ${name}(tensor("before").to(torch.${TORCH[dtype]}), torch.tensor(case["positions"]).long()).float()
    expected = tensor("expected")
    errors = (found - expected).flatten(1).norm(dim=1) / expected.flatten(1).norm(dim=1).clamp_min(1e-30)
    over = errors / torch.tensor(case["tolerances"])
    row = int(over.argmax())
    assert over[row] <= 1, f"position {case['positions'][row]}: error {errors[row]:.2e}, {over[row]:.0f} times what rounding explains"
`;

const javascript = (title: string, file: string, [module, name]: readonly [string, string]) => `// ${title}
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ${name} } from '${module}'; // ${name}(x, positions, shape) -> rotated x; the shape is [tokens, heads, dim]

const { shape, positions, tolerances, ...stored } = JSON.parse(readFileSync(new URL('./${file}', import.meta.url), 'utf8'));
const numbers = (name) => new Float32Array(new Uint8Array(Buffer.from(stored[name], 'base64')).buffer);

test('rotation', () => {
  const [found, expected] = [${name}(numbers('before'), positions, shape), numbers('expected')];
  const width = shape[1] * shape[2];
  const norm = (row, of) => Math.hypot(...expected.subarray(row * width, (row + 1) * width).map((y, at) => of(y, found[row * width + at])));
  for (const [row, tolerance] of tolerances.entries()) {
    const error = norm(row, (y, x) => x - y) / Math.max(norm(row, (y) => y), 1e-30);
    assert.ok(error <= tolerance, \`position \${positions[row]}: error \${error}; rounding explains \${tolerance}\`);
  }
});
`;

/** Writes the test and, beside it, its numbers. Returns the names of both files. */
export async function writeTestFiles(path: string, port: string | undefined, found: TestCase, claim: string): Promise<string[]> {
  const isPython = path.endsWith('.py');
  const [, module = isPython ? 'port' : './port.mjs', name = 'rotate'] = /^(.+):(\w+)$/.exec(port ?? '') ?? [];
  const data = `${basename(path).replace(/\.(py|mjs)$/, '')}-case.json`;
  const title = `Written by phasor doctor. It passes when ${name} does what is claimed: ${claim}.`;
  const text = (isPython ? python : javascript)(title, data, [module, name], found);
  await writeFile(path, text);
  const beside = join(dirname(path), data);
  await writeFile(beside, `${caseText(found)}\n`);
  return [path, beside];
}
