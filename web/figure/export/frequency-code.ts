// Programs that compute the frequencies of a figure, one scaling after the other.
import type { EncodingInfo } from '../../engine/index.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import type { SourceCode } from '../contract/kind.ts';
import { paramOf } from '../contract/parameters.ts';
import { encodingCode } from './encoding-code.ts';

interface Shown {
  readonly scaled: readonly { readonly scaling: string; readonly encoding: EncodingSpec }[];
  readonly width: number;
  readonly trained: number;
  readonly length: number;
}

/** `shown`: the encodings of the figure; without them the chosen one alone. */
export function frequencyCode(chosen: EncodingSpec, encodings: readonly EncodingInfo[], shown: Shown | undefined): SourceCode {
  const { scaled, width, trained, length } = shown ?? {
    scaled: [{ scaling: 'own', encoding: chosen }],
    width: 128,
    trained: 2048,
    length: 16384,
  };
  const parts = scaled.map(({ encoding }) => {
    const info = encodings.find(({ id }) => id === encoding.id);
    // Tokens that turn at their original speeds would hide the scaled ones.
    const first = Math.max(1, Number((info && paramOf(encoding, info)('start_tokens')) ?? 0));
    return { ...encodingCode(encoding, encodings), first };
  });
  const [own] = scaled as [Shown['scaled'][number]];
  const { scaling: _, ...base } = own.encoding;
  const kept = Object.entries(base).filter(([name]) => {
    const param = encodings.find(({ id }) => id === base.id)?.params.find((one) => one.name === name);
    return name === 'id' || (param !== undefined && param.appliesWhen === null && name !== 'start_tokens' && name !== 'attention_factor');
  });
  const unscaled = encodingCode(Object.fromEntries(kept) as EncodingSpec, encodings);
  const program = (language: 'numpy' | 'pytorch', array: (number: number) => string, stack: string, two_pi: string): string =>
    [
      ...parts.map(
        (part, index) =>
          `# ${scaled[index]?.scaling}\n${part[language]}\n${index === 0 ? 'rows, ends = [], []\n' : ''}rows.append(angles(${array(part.first)}, ${width})[0] / ${part.first})\nends.append(angles(${array(length)}, ${width})[0])\n`,
      ),
      `# without scaling, at the end of training\n${unscaled[language]}\ntrained = angles(${array(trained)}, ${width})[0]\n`,
      `inv_freq = ${stack}(rows)\nwavelengths = ${two_pi} / inv_freq\nreached = ${stack}(ends)\n`,
    ].join('\n\n');
  return {
    numpy: program('numpy', (value) => `np.array([${value}.0])`, 'np.stack', '2 * np.pi'),
    pytorch: program('pytorch', (value) => `torch.tensor([${value}.0], dtype=torch.float64)`, 'torch.stack', '2 * torch.pi'),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const width = ${width};
const encodings = [
${parts.map(({ choice }) => `  ${choice},`).join('\n')}
];
const inv_freq = encodings.map((encoding) => phasor.ropeFrequencies({ encoding, width }).invFreq.data);
const wavelengths = inv_freq.map((row) => row.map((frequency) => (2 * Math.PI) / frequency));
const reached = encodings.map((encoding) => phasor.angles({ encoding, positions: [${length}], width }).data);
const trained = phasor.angles({ encoding: ${unscaled.choice}, positions: [${trained}], width }).data;
`,
  };
}
