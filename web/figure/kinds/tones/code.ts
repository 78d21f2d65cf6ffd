import type { EncodingInfo } from '../../../engine/index.ts';
import { withScaling } from '../../compute/frequencies.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonProgram } from '../../export/python-program.ts';
import type { Spec } from './index.ts';

export function code({ encoding, dim, step, rate }: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const resolvedEncoding = withUsedParams(encoding, encodings);
  const info = encodings.find(({ id }) => id === encoding.id);
  const unscaledEncoding = info ? withScaling(encoding, info, 'none', {}) : resolvedEncoding;
  return {
    ...pythonProgram({
      values: {
        encoding: createEncodingCall(resolvedEncoding, encodings, { headDim: dim }),
        unscaled: createEncodingCall(unscaledEncoding, encodings, { headDim: dim }, 'unscaled_'),
      },
      lines: [
        `[step, rate] = [${step}, ${rate}]  # positions per token, tokens per second`,
        `inv_freq = encoding.frequencies(encoding.rotary_channels(${dim}))`,
        `trained = unscaled.frequencies(unscaled.rotary_channels(${dim}))`,
        '# Tokens are samples: full rotations between two of them are inaudible.',
        'heard = inv_freq * step',
        'heard = np.abs(heard - 2 * np.pi * np.round(heard / (2 * np.pi)))',
        'hertz = np.stack([trained, heard], axis=1) * rate / (2 * np.pi)',
      ],
    }),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const [dim, step, rate] = [${dim}, ${step}, ${rate}];
const frequencies = (encoding) => phasor.ropeFrequencies({ encoding, dim }).invFreq;
const inv_freq = frequencies(${formatJsEncoding(resolvedEncoding)});
const trained = frequencies(${formatJsEncoding(unscaledEncoding)});
const full = 2 * Math.PI;
// Tokens are samples: full rotations between two of them are inaudible.
const aliasedAngle = (angle) => Math.abs(angle - full * Math.round(angle / full));
const rows = Array.from(inv_freq.data, (frequency, pair) => [(trained.data[pair] * rate) / full, (aliasedAngle(frequency * step) * rate) / full]);
const hertz = { shape: [rows.length, 2], data: Float32Array.from(rows.flat()) };
`,
  };
}
