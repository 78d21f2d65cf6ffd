// Generates test programs. Each program calls the function under test, and compares its result with reference values from a JSON file in
// the same folder.

import type { TestCase, TestedFunction } from '../../engine/doctor/test-case.ts';

/** Default names of the tested functions, by language. */
export const SIGNATURES: { readonly [Tested in TestedFunction]: { readonly python: string; readonly javascript: string } } = {
  rotation: { python: 'rotate', javascript: 'rotate' },
  inv_freq: { python: 'inv_freq', javascript: 'invFreq' },
  cos_sin: { python: 'cos_sin', javascript: 'cosSin' },
  cos_sin_cache: { python: 'cos_sin_cache', javascript: 'cosSinCache' },
  scores: { python: 'scores', javascript: 'scores' },
  weights: { python: 'weights', javascript: 'weights' },
  position_ids: { python: 'position_ids', javascript: 'positionIds' },
};

export interface TestProgram {
  readonly title: string;
  /** Name of the JSON file with the inputs and the expected result. */
  readonly file: string;
  readonly module: string;
  readonly name: string;
  readonly testCase: TestCase;
}

const TORCH_DTYPES: { readonly [dtype: string]: string } = { f32: 'float32', f16: 'float16', bf16: 'bfloat16' };

/** Source code of a call of the tested function, with the names of its arguments and a description of its result. */
interface FunctionCall {
  readonly argumentNames: string;
  readonly resultText: string;
  readonly expression: string;
}

/**
 * Returns the arguments of a function that computes scores or weights. The segment ids of packed sequences are passed as a list, all other
 * inputs as tensors.
 */
const listScoreArguments = (inputs: TestCase['inputs'], tensor: (name: string) => string, list: (name: string) => string) =>
  Object.keys(inputs).map((input) => (input === 'segments' ? list(input) : tensor(input)));

function createPythonCall(name: string, { tested, dtype, inputs }: TestCase): FunctionCall {
  const positions = 'torch.tensor(case["inputs"]["positions"]).long()';
  const tensor = (name: string) => `tensor(case["inputs"]["${name}"])`;
  switch (tested) {
    case 'rotation':
      return {
        argumentNames: 'x, positions',
        resultText: 'rotated x, [tokens, heads, dim]',
        expression: `${name}(${tensor('before')}.to(torch.${TORCH_DTYPES[dtype]}), ${positions})`,
      };
    case 'inv_freq':
      return { argumentNames: '', resultText: '[pairs]', expression: `${name}()` };
    case 'cos_sin':
      return {
        argumentNames: 'positions',
        resultText: 'cosines and sines, [tokens, columns] each',
        expression: `torch.cat(list(${name}(${positions})), -1)`,
      };
    case 'cos_sin_cache':
      return {
        argumentNames: 'positions',
        resultText: 'cosines, then sines of each position, [tokens, 2 * pairs]',
        expression: `${name}(${positions})`,
      };
    default: {
      const argumentTexts = listScoreArguments(inputs, tensor, (name) => `torch.tensor(case["inputs"]["${name}"])`);
      return {
        argumentNames: Object.keys(inputs).join(', '),
        resultText: `${tested}, [heads, queries, keys]${tested === 'scores' ? ', masked entries below -10000' : ''}`,
        expression: `${name}(${argumentTexts.join(', ')})`,
      };
    }
  }
}

const createPythonIdsProgram = ({ title, file, module, name, testCase: { inputs } }: TestProgram) => `# ${title}
import json
import pathlib

import torch
from ${module} import ${name}  # ${name}(${Object.keys(inputs).join(', ')}) -> ids, [tokens] or [3, tokens]

case = json.loads(pathlib.Path(__file__).with_name("${file}").read_text())


def test_position_ids():
    expected = case["expected"]
    found = torch.as_tensor(${name}(**case["inputs"])).reshape(len(expected), -1).tolist()
    for axis, actual_ids, expected_ids in zip(case["rows"], found, expected):
        assert len(actual_ids) == len(expected_ids), f"{len(actual_ids)} ids for {len(expected_ids)} tokens"
        for token, (actual, expected_id) in enumerate(zip(actual_ids, expected_ids)):
            assert expected_id is None or actual == expected_id, f"{axis}, token {token}: {actual}; expected {expected_id}"
`;

const MASK_CHECK_PYTHON = `    hidden = expected < -1e4
    assert torch.equal(found < -1e4, hidden), f"masked keys differ at head, query, key {(found < -1e4).ne(hidden).nonzero()[0].tolist()}"
    found, expected = found.masked_fill(hidden, 0), expected.masked_fill(hidden, 0)
`;

export function createPythonProgram(program: TestProgram): string {
  const { title, file, module, name, testCase } = program;
  if (testCase.tested === 'position_ids') return createPythonIdsProgram(program);
  const { argumentNames, resultText, expression } = createPythonCall(name, testCase);
  return `# ${title}
import base64
import json
import pathlib

import torch
from ${module} import ${name}  # ${name}(${argumentNames}) -> ${resultText}

case = json.loads(pathlib.Path(__file__).with_name("${file}").read_text())


def tensor(stored):
    data = bytearray(base64.b64decode(stored["base64"]))
    return torch.frombuffer(data, dtype=torch.float32).reshape(stored["shape"])


def test_${testCase.tested}():
    expected = tensor(case["expected"])
    found = ${expression}.float()
    assert found.shape == expected.shape, f"the shape is {list(found.shape)}; expected {list(expected.shape)}"
${testCase.tested === 'scores' ? MASK_CHECK_PYTHON : ''}    rows = len(case["rows"])
    errors = (found - expected).reshape(rows, -1).norm(dim=1) / expected.reshape(rows, -1).norm(dim=1).clamp_min(1e-30)
    over = (errors / torch.tensor(case["tolerances"])).nan_to_num(torch.inf)
    row = int(over.argmax())
    assert over[row] <= 1, f"{case['rows'][row]}: error {errors[row]:.2e}, {over[row]:.0f} times what rounding explains"
`;
}

function createJavascriptCall(name: string, { tested, inputs }: TestCase): FunctionCall {
  const [numbers, shape] = [(name: string) => `numbers(inputs.${name})`, (name: string) => `inputs.${name}.shape`];
  switch (tested) {
    case 'rotation':
      return {
        argumentNames: 'x, positions, shape',
        resultText: 'rotated x; the shape is [tokens, heads, dim]',
        expression: `${name}(${numbers('before')}, inputs.positions, ${shape('before')})`,
      };
    case 'inv_freq':
      return { argumentNames: '', resultText: 'numbers, [pairs]', expression: `${name}()` };
    case 'cos_sin':
      return {
        argumentNames: 'positions',
        resultText: 'cosines and sines, [tokens, columns] each',
        expression: `sideBySide(${name}(inputs.positions), inputs.positions.length)`,
      };
    case 'cos_sin_cache':
      return {
        argumentNames: 'positions',
        resultText: 'cosines, then sines of each position, [tokens, 2 * pairs]',
        expression: `${name}(inputs.positions)`,
      };
    default: {
      const argumentTexts = listScoreArguments(inputs, numbers, (name) => `inputs.${name}`);
      const shapes = Object.keys(inputs)
        .filter((name) => name !== 'segments')
        .map((name) => `${name}: ${shape(name)}`);
      return {
        argumentNames: [...Object.keys(inputs), 'shapes'].join(', '),
        resultText: `${tested}, [heads, queries, keys]${tested === 'scores' ? ', masked entries below -10000' : ''}; shapes by name`,
        expression: `${name}(${[...argumentTexts, `{ ${shapes.join(', ')} }`].join(', ')})`,
      };
    }
  }
}

const createJavascriptIdsProgram = ({ title, file, module, name, testCase: { inputs } }: TestProgram) => `// ${title}
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ${name} } from '${module}'; // ${name}({ ${Object.keys(inputs).join(', ')} }) -> ids, [tokens] or [3][tokens]

const { inputs, expected } = JSON.parse(readFileSync(new URL('./${file}', import.meta.url), 'utf8'));

test('position ids', () => {
  const found = [...${name}(inputs)].flatMap((id) => (typeof id === 'number' ? id : [...id]));
  const reference = expected.flat();
  assert.equal(found.length, reference.length);
  for (const [at, id] of reference.entries()) assert.ok(id === null || found[at] === id, \`id \${at} is \${found[at]}; expected \${id}\`);
});
`;

const SIDE_BY_SIDE = `
const sideBySide = ([cos, sin], rows) =>
  Array.from({ length: rows }, (_, row) => [cos, sin].flatMap((table) => [...table.slice((row * table.length) / rows, ((row + 1) * table.length) / rows)])).flat();
`;

const MASK_CHECK_JAVASCRIPT = `  for (const [at, y] of reference.entries()) {
    assert.equal(found[at] < -1e4, y < -1e4, \`masked keys differ at index \${at}\`);
    if (y < -1e4) found[at] = reference[at] = 0;
  }
`;

export function createJavascriptProgram(program: TestProgram): string {
  const { title, file, module, name, testCase } = program;
  if (testCase.tested === 'position_ids') return createJavascriptIdsProgram(program);
  const { argumentNames, resultText, expression } = createJavascriptCall(name, testCase);
  return `// ${title}
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ${name} } from '${module}'; // ${name}(${argumentNames}) -> ${resultText}

const { inputs, expected, rows, tolerances } = JSON.parse(readFileSync(new URL('./${file}', import.meta.url), 'utf8'));
const numbers = ({ base64 }) => new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer);
${testCase.tested === 'cos_sin' ? SIDE_BY_SIDE : ''}
test('${testCase.tested.replaceAll('_', ' ')}', () => {
  const [found, reference] = [Float32Array.from(${expression}), numbers(expected)];
  assert.equal(found.length, reference.length);
${testCase.tested === 'scores' ? MASK_CHECK_JAVASCRIPT : ''}  const width = reference.length / rows.length;
  const norm = (row, of) => Math.hypot(...reference.subarray(row * width, (row + 1) * width).map((y, at) => of(y, found[row * width + at])));
  for (const [row, tolerance] of tolerances.entries()) {
    const error = norm(row, (y, x) => x - y) / Math.max(norm(row, (y) => y), 1e-30);
    assert.ok(error <= tolerance, \`\${rows[row]}: error \${error}; rounding explains \${tolerance}\`);
  }
});
`;
}
