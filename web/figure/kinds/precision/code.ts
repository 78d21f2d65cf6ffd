// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { encodingCode } from '../../export/encoding-code.ts';
import { pointsOf } from './compute.ts';
import type { Spec } from './index.ts';

const listOf = (points: readonly (readonly number[])[]): string => `[\n${points.map((tried) => `    [${tried.join(', ')}],\n`).join('')}]`;

export function code({ encoding, width, length, apart }: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const { numpy, pytorch, choice } = encodingCode(encoding, encodings);
  const points = pointsOf(length);
  return {
    numpy: `${numpy}
def bfloat16(x):
    """Rounded to the upper 16 bits of a float32, ties to even."""
    word = np.asarray(x, dtype=np.float32).view(np.uint32)
    return ((word + 0x7FFF + ((word >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


f32 = np.float32
frequency = angles(np.ones(1), ${width})[0].astype(f32)
ones = np.ones((1, 1, ${width}), dtype=f32)


def core(p):
    return rotate(ones, np.array([p], dtype=np.float64))[0, 0].astype(np.float64)


def of(phases, rounded=lambda x: x):
    phases = phases.astype(f32)
    return np.concatenate([rounded(np.cos(phases)), rounded(np.sin(phases))]) / f32(len(phases) ** 0.5)


ways = [
    core,
    lambda p: of(f32(p) * frequency),
    lambda p: of(f32(p) * frequency, bfloat16),
    lambda p: of(f32(p) * bfloat16(frequency)),
    lambda p: of(bfloat16(bfloat16(p) * bfloat16(frequency))),
]
exact = np.cos(${apart} * frequency.astype(np.float64)).mean()
kept = ${width} - 2 * len(frequency)  # channels beyond the rotated pairs, each of which adds 1
gain = core(0) @ core(0) - kept
points = ${listOf(points)}
score = lambda way, p: np.dot(way(p).astype(np.float64), way(p + ${apart}).astype(np.float64))
error = lambda way, p: abs(((score(way, p) - kept) / gain if way is core else score(way, p)) - exact)
errors = np.array([[max(error(way, p) for p in tried) for way in ways] for tried in points])
`,
    pytorch: `${pytorch}
bfloat16 = lambda x: torch.as_tensor(x, dtype=torch.float32).to(torch.bfloat16).to(torch.float32)
f32 = lambda x: torch.as_tensor(x, dtype=torch.float32)
frequency = angles(torch.ones(1, dtype=torch.float64), ${width})[0].to(torch.float32)
ones = torch.ones(1, 1, ${width})


def core(p):
    return rotate(ones, torch.tensor([p], dtype=torch.float64))[0, 0].double()


def of(phases, rounded=lambda x: x):
    return torch.cat([rounded(phases.cos()), rounded(phases.sin())]).double() / len(phases) ** 0.5


ways = [
    core,
    lambda p: of(f32(p) * frequency),
    lambda p: of(f32(p) * frequency, bfloat16),
    lambda p: of(f32(p) * bfloat16(frequency)),
    lambda p: of(bfloat16(bfloat16(p) * bfloat16(frequency))),
]
exact = (${apart} * frequency.double()).cos().mean()
kept = ${width} - 2 * len(frequency)  # channels beyond the rotated pairs, each of which adds 1
gain = core(0) @ core(0) - kept
points = ${listOf(points)}
score = lambda way, p: way(p) @ way(p + ${apart})
error = lambda way, p: float(abs(((score(way, p) - kept) / gain if way is core else score(way, p)) - exact))
errors = torch.tensor([[max(error(way, p) for p in tried) for way in ways] for tried in points])
`,
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const encoding = ${choice};
const [width, apart, ways] = [${width}, ${apart}, 5];
const points = ${listOf(points)};
const bits = new DataView(new ArrayBuffer(4));
const bfloat16 = (value) => {
  bits.setFloat32(0, value);
  const word = bits.getUint32(0);
  bits.setUint32(0, (word + 0x7fff + ((word >>> 16) & 1)) & 0xffff0000);
  return bits.getFloat32(0);
};
const f32 = Math.fround;
const rounded = (angle) => [f32(Math.cos(angle)), f32(Math.sin(angle))];
const programs = [
  (position, frequency) => rounded(f32(position * frequency)),
  (position, frequency) => rounded(f32(position * frequency)).map(bfloat16),
  (position, frequency) => rounded(f32(position * bfloat16(frequency))),
  (position, frequency) => rounded(bfloat16(bfloat16(position) * bfloat16(frequency))),
];
const { invFreq, attentionFactor } = phasor.ropeFrequencies({ encoding, width });
const frequencies = Float32Array.from(invFreq.data);
const score = (program, key, query) => {
  let total = 0;
  for (const frequency of frequencies) {
    const [c, s] = program(key, frequency);
    const [cosine, sine] = program(query, frequency);
    total += c * cosine + s * sine;
  }
  return total / frequencies.length;
};
const rotated = (position) =>
  phasor.rotate({ shape: [1, 1, width], data: new Float32Array(width).fill(1) }, { encoding, positions: [position] }).data;
const core = (key, query) => {
  const [a, b] = [rotated(key), rotated(query)];
  let total = 0;
  for (let channel = 0; channel < width; channel++) total += a[channel] * b[channel];
  return (total - (width - 2 * frequencies.length)) / (2 * frequencies.length * attentionFactor * attentionFactor);
};
const exact = frequencies.reduce((sum, frequency) => sum + Math.cos(apart * frequency), 0) / frequencies.length;
const errors = { shape: [points.length, ways], data: new Float32Array(points.length * ways) };
points.forEach((tried, point) => {
  const largest = (scoreOf) => Math.max(...tried.map((position) => Math.abs(scoreOf(position, position + apart) - exact)));
  errors.data.set([largest(core), ...programs.map((program) => largest((key, query) => score(program, key, query)))], point * ways);
});
`,
  };
}
