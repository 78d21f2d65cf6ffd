// The figure as programs: frequencies by one scaling after the other.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { encodingCall } from '../../export/encoding-call.ts';
import { encodingChoice } from '../../export/encoding-choice.ts';
import { pythonProgram } from '../../export/python-program.ts';
import type { Model, Spec } from './index.ts';

/** `model`: the encodings that are shown; without them the chosen one alone. */
export function code(spec: Spec, encodings: readonly EncodingInfo[], model?: Model): SourceCode {
  const { scaled, width, trained, length } = model ?? {
    scaled: [{ scaling: 'own', encoding: spec.encoding }],
    width: 128,
    trained: 2048,
    length: 16384,
  };
  const [own] = scaled as [(typeof scaled)[number]];
  const { scaling: _, ...base } = own.encoding;
  const kept = Object.entries(base).filter(([name]) => {
    const param = encodings.find(({ id }) => id === base.id)?.params.find((one) => one.name === name);
    return name === 'id' || (param !== undefined && param.appliesWhen === null && name !== 'start_tokens' && name !== 'attention_factor');
  });
  const unscaled = Object.fromEntries(kept) as EncodingSpec;
  const calls = scaled.map(({ encoding }, index) => encodingCall(encoding, encodings, { headDim: width }, `${encoding.id}_${index}_`));
  return {
    ...pythonProgram({
      values: {
        ...Object.fromEntries(calls.map((call, index) => [`scaling_${index}`, call])),
        unscaled: encodingCall(unscaled, encodings, { headDim: width }),
      },
      lines: [
        `encodings = [${calls.map((_, index) => `scaling_${index}`).join(', ')}]  # ${scaled.map(({ scaling }) => scaling).join(', ')}`,
        `inv_freq = np.stack([one.frequencies(one.rotary_channels(${width})) for one in encodings])`,
        "with np.errstate(divide='ignore'):",
        '    wavelengths = 2 * np.pi / inv_freq',
        `reached = np.stack([one.rotary_angles([${length}], ${width})[0] for one in encodings])`,
        `trained = unscaled.rotary_angles([${trained}], ${width})[0]`,
      ],
    }),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const width = ${width};
const encodings = [
${scaled.map(({ encoding }) => `  ${encodingChoice(encoding)},`).join('\n')}
];
const inv_freq = encodings.map((encoding) => phasor.ropeFrequencies({ encoding, width }).invFreq.data);
const wavelengths = inv_freq.map((row) => row.map((frequency) => (2 * Math.PI) / frequency));
const reached = encodings.map((encoding) => phasor.angles({ encoding, positions: [${length}], width }).data);
const trained = phasor.angles({ encoding: ${encodingChoice(unscaled)}, positions: [${trained}], width }).data;
`,
  };
}
