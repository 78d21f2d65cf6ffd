// The references in public/reference equal the core: each is run by NumPy and compared with the engine's results.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Tensor } from '../../web/engine/index.ts';
import { type Result, runPython } from './python/run.ts';
import { type Case, casesOf, difference, phasor, TOLERANCE } from './reference-cases.ts';

const cases = new Map(phasor.encodings.map((info) => [info.id, casesOf(info)]));
const allCases = [...cases.values()].flat();
const results = new Map(runPython(allCases.map(({ job }) => job)).map((result, index) => [allCases[index] as Case, result]));

it.each(phasor.encodings.map(({ id }) => id))('the reference of %s computes the values of the core', (id) => {
  const failures = (cases.get(id) ?? []).flatMap((entry) => {
    const problem = difference(results.get(entry) as Result, entry.expected, TOLERANCE);
    return problem === undefined ? [] : [`${entry.name}: ${problem}`];
  });
  expect(cases.get(id)?.length).toBeGreaterThan(0);
  expect(failures).toEqual([]);
});

it('the reference of attention supports a window, sinks and positions', () => {
  const [q, k, v] = [1, 2, 3].map((seed) => phasor.randomNormal({ seed, shape: [2, 6, 8] })) as [Tensor, Tensor, Tensor];
  const inputs = { q, k, v, queryPositions: [3, 4, 5, 6, 7, 8], keyPositions: [0, 2, 4, 6, 8, 9] };
  const { output, weights, sinkWeights } = phasor.attention({
    ...{ ...inputs, encoding: 'rope', mask: 'causal', window: 4, sinks: [0.5, -1], outputs: ['weights', 'sinkWeights'] },
  });
  const program = `import numpy as np
from attention import attention
from rope import Rope

places = dict(query_positions=np.arange(3.0, 9), key_positions=np.array([0.0, 2, 4, 6, 8, 9]))
output, weights, _, sinks = attention(q, k, v, Rope(), mask='causal', window=4, sinks=[0.5, -1], **places)
`;
  const [result] = runPython([{ program, given: { q, k, v }, want: ['output', 'weights', 'sinks'] }]) as [Result];
  expect(difference(result, { output, weights: weights as Tensor, sinks: sinkWeights as Tensor }, TOLERANCE)).toBeUndefined();
});

it('the reference of attention supports segments, a mask and a bias', () => {
  const [q, k, v] = [1, 2, 3].map((seed) => phasor.randomNormal({ seed, shape: [2, 6, 8] })) as [Tensor, Tensor, Tensor];
  const bias = phasor.randomNormal({ seed: 4, shape: [2, 6, 6] });
  const keyMask = Array.from({ length: 36 }, (_, pair) => (pair % 5 === 2 ? 0 : 1) as 0 | 1);
  const [positions, ids] = [
    [0, 1, 2, 0, 1, 2],
    [0, 0, 0, 1, 1, 1],
  ];
  const positionFields = { queryPositions: positions, keyPositions: positions, querySegmentIds: ids, keySegmentIds: ids };
  const { output, weights } = phasor.attention({
    ...{ q, k, v, encoding: 'alibi', mask: 'causal', ...positionFields, outputs: ['weights'] },
    ...{ attnMask: { shape: [6, 6], data: keyMask }, attnBias: bias },
  });
  const program = `import numpy as np
from alibi import Alibi
from attention import attention

positions, ids = [0.0, 1, 2, 0, 1, 2], [0, 0, 0, 1, 1, 1]
places = dict(query_positions=positions, key_positions=positions, query_segment_ids=ids, key_segment_ids=ids)
seen = np.arange(36).reshape(6, 6) % 5 != 2
output, weights, _, _ = attention(q, k, v, Alibi(), mask='causal', attn_mask=seen, attn_bias=bias, **places)
`;
  const [result] = runPython([{ program, given: { q, k, v, bias }, want: ['output', 'weights'] }]) as [Result];
  expect(difference(result, { output, weights: weights as Tensor }, TOLERANCE)).toBeUndefined();
});

it('Python parses the PyTorch files', () => {
  const program = `import ast, sys

for name in ('transformer', 'learned_encodings', 'tasks', 'image_network', 'model_positions'):
    with open(f'{sys.path[1]}/{name}.py') as file:
        ast.parse(file.read())
`;
  expect(runPython([{ program, want: [] }])).toEqual([{ arrays: {} }]);
});

/** Mutations of a formula: a sign, an operation or a function, one at a time. */
const CHANGES: readonly (readonly [found: RegExp, instead: string])[] = [
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' + '],
  [/ \/ /g, ' * '],
  [/ <= /g, ' < '],
  [/ < /g, ' > '],
  [/>>/g, '<<'],
  [/(?<=[([,=] ?)-(?=[\w(])/g, ''],
  [/np\.sin/g, 'np.cos'],
  [/\[:, None\]/g, '[:, None] + 1'],
];

/** One file per mutation; comments, docstrings and defaults of parameters are not mutated. */
function mutatePrograms(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    if (!/^ {4}/.test(line) || /"""|^\s*#|^ {4}\w+: /.test(line)) return [];
    return CHANGES.flatMap(([original, replacement]) =>
      [...line.matchAll(original)].map(({ index, 0: { length } }) =>
        lines.with(i, line.slice(0, index) + replacement + line.slice(index + length)).join('\n'),
      ),
    );
  });
}

it('the comparison detects a mutated formula of every encoding that has one', () => {
  const programs = phasor.encodings.flatMap(({ id }) => {
    const [first] = cases.get(id) as [Case];
    const text = readFileSync(`public/reference/${id}.py`, 'utf8');
    return mutatePrograms(text).map((file) => ({ id, first, job: { ...first.job, modules: { [id]: file } } }));
  });
  const original = runPython(programs.map(({ job }) => job));
  // Only different results count: a mutated program may also fail, or the mutation may be in unused code.
  const detectedPrograms = programs.filter(({ first }, index) => {
    const result = original[index] as Result;
    return result.error === undefined && difference(result, first.expected, TOLERANCE) !== undefined;
  });
  const ids = phasor.encodings.map(({ id }) => id);
  // These two contain no formula.
  expect(ids.filter((id) => !detectedPrograms.some((entry) => entry.id === id))).toEqual(['learned', 'none']);
});
