import type { EncodingInfo } from '../../../engine/index.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonProgram } from '../../export/python-program.ts';
import type { Results, Spec } from './index.ts';

/** @param model the displayed frequencies; by default, those of the selected encoding */
export function code(spec: Spec, encodings: readonly EncodingInfo[], model?: Results): SourceCode {
  const { scaledFrequencies, dim, trained, length } = model ?? {
    scaledFrequencies: [{ scaling: 'own', encoding: spec.encoding }],
    dim: 128,
    trained: 2048,
    length: 16384,
  };
  const [selected] = scaledFrequencies as [(typeof scaledFrequencies)[number]];
  const { scaling: _, ...base } = selected.encoding;
  const unscaledEntries = Object.entries(base).filter(([name]) => {
    const param = encodings.find(({ id }) => id === base.id)?.params.find((param) => param.name === name);
    return name === 'id' || (param !== undefined && param.appliesWhen === null && name !== 'start_tokens' && name !== 'attention_factor');
  });
  const unscaledEncoding = Object.fromEntries(unscaledEntries) as EncodingSpec;
  const calls = scaledFrequencies.map(({ encoding }, index) =>
    createEncodingCall(encoding, encodings, { headDim: dim }, `${encoding.id}_${index}_`),
  );
  return {
    ...pythonProgram({
      values: {
        ...Object.fromEntries(calls.map((call, index) => [`scaling_${index}`, call])),
        unscaled: createEncodingCall(unscaledEncoding, encodings, { headDim: dim }),
      },
      lines: [
        `encodings = [${calls.map((_, index) => `scaling_${index}`).join(', ')}]  # ${scaledFrequencies.map(({ scaling }) => scaling).join(', ')}`,
        `inv_freq = np.stack([encoding.frequencies(encoding.rotary_channels(${dim})) for encoding in encodings])`,
        "with np.errstate(divide='ignore'):",
        '    wavelengths = 2 * np.pi / inv_freq',
        `reached = np.stack([encoding.rotary_angles([${length}], ${dim})[0] for encoding in encodings])`,
        `trained = unscaled.rotary_angles([${trained}], ${dim})[0]`,
      ],
    }),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const dim = ${dim};
const encodings = [
${scaledFrequencies.map(({ encoding }) => `  ${formatJsEncoding(encoding)},`).join('\n')}
];
const inv_freq = encodings.map((encoding) => phasor.ropeFrequencies({ encoding, dim }).invFreq.data);
const wavelengths = inv_freq.map((row) => row.map((frequency) => (2 * Math.PI) / frequency));
const reached = encodings.map((encoding) => phasor.rotaryAngles({ encoding, positions: [${length}], dim }).data);
const trained = phasor.rotaryAngles({ encoding: ${formatJsEncoding(unscaledEncoding)}, positions: [${trained}], dim }).data;
`,
  };
}
