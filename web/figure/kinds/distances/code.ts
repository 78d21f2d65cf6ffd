// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { encodingCode } from '../../export/encoding-code.ts';
import type { Spec } from './index.ts';

export function code({ encoding, length, width }: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const { numpy, pytorch, choice, functions } = encodingCode(encoding, encodings);
  const isOwn = functions.includes('distances');
  const hides = functions.includes('hidden');
  const program = (language: string, library: 'np' | 'torch', first: string): string => `${language}
positions = ${first}
distances = ${isOwn ? 'distances(positions, positions)' : 'positions[:, None] - positions'}
seen = positions[None, :] <= positions[:, None]${hides ? '\nseen = seen & ~hidden(positions, positions)' : ''}
distances = ${library}.where(seen, distances, ${library === 'np' ? 'np.nan' : "torch.tensor(float('nan'), dtype=torch.float64)"})
`;
  return {
    numpy: program(numpy, 'np', `np.arange(${length}, dtype=np.float64)`),
    pytorch: program(pytorch, 'torch', `torch.arange(${length}, dtype=torch.float64)`),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const encoding = ${choice};
const [length, width] = [${length}, ${width}];
const positions = Array.from({ length }, (_, position) => position);
const all = phasor.distances({ encoding, width, queryPositions: positions, keyPositions: positions });
const ones = { shape: [1, length, width], data: new Float32Array(length * width).fill(1) };
const v = { shape: [1, length, 1], data: new Float32Array(length) };
const { scores } = phasor.attention({ q: ones, k: ones, v, encoding, mask: 'causal', scale: 1 / width, want: ['scores'] });
const distances = { shape: all.shape, data: all.data.map((distance, at) => (scores.data[at] === -Infinity ? NaN : distance)) };
`,
  };
}
