// The figure as programs: frequencies and distances of each method by its formula, and what a query and equal keys make of them.
import type { EncodingInfo } from '../../../engine/index.ts';
import { listed } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import type { Spec } from './index.ts';
import { chunkOf, encodingOf, groupOf, type MethodId, nearOf } from './methods.ts';
import { RECORDED } from './recording.ts';

/** Frequencies, the factor on cosines and sines, and distances: Python expressions. */
function rowOf(method: MethodId, { trained, factor, width }: Spec): readonly [frequencies: string, gain: string, distances: string] {
  const [near, group, chunk] = [nearOf(trained), groupOf({ trained, factor }), chunkOf(trained)];
  const own = (distances: string) => ['theta', '1.0', distances] as const;
  switch (method) {
    case 'linear':
      return ['theta / factor', '1.0', 'i - j'];
    case 'ntk':
      return [`(10000 * factor ** (${width} / ${width - 2})) ** (-2.0 * pairs / width)`, '1.0', 'i - j'];
    case 'yarn':
      return ['theta * (1 - ramp) + theta / factor * ramp', '0.1 * math.log(factor) + 1', 'i - j'];
    case 'self_extend':
      return own(`where(i - j < ${near}, i - j, i // ${group} - j // ${group} + ${near - Math.floor(near / group)})`);
    case 'rerope':
      return own(`where(i - j < ${near}, i - j, ${near} + 0 * (i - j))`);
    case 'lm_infinite':
      return own('where(i - j < trained, i - j, trained + 0 * (i - j))');
    case 'dual_chunk':
      return own(`where(i // ${chunk} == j // ${chunk}, i - j, farther - j % ${chunk})`);
    default:
      return own('i - j');
  }
}

export function code(spec: Spec, _: readonly EncodingInfo[]): SourceCode {
  const { trained, factor, width } = spec;
  const methods = listed(spec.methods) as MethodId[];
  const [has, chunk] = [(id: MethodId) => methods.includes(id), chunkOf(trained)];
  const rows = methods.map((id) => `    "${id}": (${rowOf(id, spec).join(', ')}),`).join('\n');
  const python = (library: 'np' | 'torch'): string => {
    const isNumpy = library === 'np';
    const range = (end: string) => (isNumpy ? `np.arange(${end})` : `torch.arange(${end}, dtype=torch.float64)`);
    const nan = isNumpy ? 'np.nan' : 'torch.nan';
    const axis = isNumpy ? 'axis' : 'dim';
    return `import math

import ${isNumpy ? 'numpy as np' : 'torch'}

trained, factor, width = ${trained}, ${factor}, ${width}
length = trained * factor
pairs = ${range('width // 2')}
theta = 10000.0 ** (-2.0 * pairs / width)  # RoPE, radians per token
where = ${library}.where
i, j = ${range('length')}[:, None], ${range('length')}[None, :]
${
  has('yarn')
    ? `# YaRN's ramp from the pair that turns 32 times in training to the one that turns once, in the index of the pair.
low, high = (width * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(10000)) for turns in (32, 1))
low, high = max(math.floor(low), 0), min(math.ceil(high), width - 1)
ramp = ${isNumpy ? 'np.clip' : 'torch.clamp'}((pairs - low) / (high - low or 0.001), 0, 1)
`
    : ''
}${
  has('dual_chunk')
    ? `# Dual chunk: how far a query is from the start of the chunk before, or of an older one.
before = ${isNumpy ? 'np.minimum' : 'torch.minimum'}(i % ${chunk} + ${chunk}, trained - 1 + 0 * i)
farther = where(i // ${chunk} - j // ${chunk} == 1, before, min(2 * ${chunk} - 1, trained - 1) + 0 * i)
`
    : ''
}# Frequencies, the factor on cosines and sines, distances [queries, keys].
methods = {
${rows}
}
# A pair that completed a rotation in training knows every angle, any other those up to here.
known = where(trained * theta < 2 * math.pi, trained * theta, math.inf + 0 * theta)
unseen, taken, weights, shares = [], [], [], []
for name, (frequencies, gain, distances) in methods.items():
    seen = j <= i
    if name == "lm_infinite":
        seen = seen & ((i - j < trained) | (j < 4))
    beyond = sum(1.0 * (distances * frequencies[t] > known[t] * (1 + 1e-6)) for t in range(width // 2)) / (width // 2)
    shares.append([beyond[seen].mean()])
    # The last query, from the nearest key on. Query and keys are ones.
    last = -1
    angles = distances[last][:, None] * frequencies
    scores = gain**2 * 2 * ${isNumpy ? 'np' : 'torch'}.cos(angles).sum(${axis}=-1) / width**0.5
    exponents = where(seen[last], ${library}.exp(scores - scores.max()), 0.0 * scores)
    for table, row in ((unseen, beyond[last]), (taken, distances[last]), (weights, exponents / exponents.sum())):
        row = where(seen[last], row, ${nan} + 0.0 * row)
        table.append(${isNumpy ? 'row[::-1]' : 'row.flip(0)'})
${
  isNumpy
    ? 'unseen, shares, taken, weights = np.array(unseen), np.array(shares), np.array(taken), np.array(weights)'
    : 'unseen, shares, taken, weights = torch.stack(unseen), torch.tensor(shares), torch.stack(taken), torch.stack(weights)'
}
`;
  };
  const { command, lengths, loss } = RECORDED;
  const losses = `[\n${methods.map((id) => `    [${loss[id].join(', ')}],  # ${id}`).join('\n')}\n]`;
  const recorded = (tensor: string): string => `# Recorded: ${command}. [methods, lengths ${lengths.join(', ')}]
loss = ${tensor}(${losses})
`;
  const encodings = methods.map((id) => `  ${id}: ${JSON.stringify(encodingOf(id, { trained, factor }))},`).join('\n');
  return {
    numpy: python('np') + recorded('np.array'),
    pytorch: python('torch') + recorded('torch.tensor'),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const [trained, factor, width] = [${trained}, ${factor}, ${width}];
const length = trained * factor;
const methods = {
${encodings}
};
const positions = Array.from({ length }, (_, position) => position);
const ones = (count) => ({ shape: [1, count, width], data: new Float32Array(count * width).fill(1) });
const theta = phasor.ropeFrequencies({ encoding: 'rope', width }).invFreq.data;
const rows = Object.values(methods).map((encoding) => {
  const distances = phasor.distances({ encoding, width, queryPositions: positions, keyPositions: positions }).data;
  const frequencies = phasor.ropeFrequencies({ encoding, width }).invFreq.data;
  const given = { k: ones(length), v: { shape: [1, length, 1], data: new Float32Array(length) }, encoding, mask: 'causal' };
  const { scores } = phasor.attention({ ...given, q: ones(length), scale: 1 / width, want: ['scores'] });
  const last = phasor.attention({ ...given, q: ones(1), want: ['weights'] }).weights.data;
  const beyond = (distance) =>
    theta.filter((known, t) => trained * known < 2 * Math.PI && distance * frequencies[t] > trained * known * (1 + 1e-6)).length /
    theta.length;
  let [sum, seen] = [0, 0];
  scores.data.forEach((score, cell) => {
    if (score === -Infinity) return;
    sum += beyond(distances[cell]);
    seen += 1;
  });
  // The last query, from the nearest key on.
  const back = positions.map((distance) => length * length - 1 - distance);
  const taken = back.map((cell) => (scores.data[cell] === -Infinity ? NaN : distances[cell]));
  const weights = taken.map((distance, at) => (Number.isNaN(distance) ? NaN : last[length - 1 - at]));
  return { share: sum / seen, taken, weights, unseen: taken.map((distance) => (Number.isNaN(distance) ? NaN : beyond(distance))) };
});
const table = (of) => ({ shape: [rows.length, length], data: Float32Array.from(rows.flatMap((row) => row[of])) });
const [unseen, taken, weights] = ['unseen', 'taken', 'weights'].map(table);
const shares = { shape: [rows.length, 1], data: Float32Array.from(rows, ({ share }) => share) };
// Recorded: ${command}
const loss = { shape: [rows.length, ${lengths.length}], data: Float32Array.from([${methods.map((id) => loss[id].join(', ')).join(', ')}]) };
`,
  };
}
