// Generates the code that computes an encoding's bias, for Python and JavaScript programs.
import type { EncodingInfo } from '../../engine/index.ts';
import type { BiasSpec } from '../compute/bias.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import { randomNormal } from './drawn-parameters.ts';
import { createEncodingCall } from './encoding-call.ts';
import { formatJsEncoding } from './encoding-choice.ts';
import { pythonArray } from './python-program.ts';

/** Whether the bias depends on queries and keys, or on the scale of q · k. */
const readsContent = ({ id, form, placement }: EncodingSpec, encodings: readonly EncodingInfo[]): boolean =>
  encodings.find((candidate) => candidate.id === id)?.injection !== 'score' || form === 'weighted_power' || placement === 'inside';

/**
 * Returns the `values` and `lines` of a Python program that computes `biases` [heads, queries, keys], and as `phasor` the start of a
 * JavaScript program that does the same.
 */
export function generateBiasCode({ encoding, heads, dim, length, seed }: BiasSpec, encodings: readonly EncodingInfo[]) {
  const constructorCall = createEncodingCall(encoding, encodings, { heads, headDim: dim });
  const nextSeed = (seed + 1) % 2 ** 32;
  const shape = [heads, length, dim];
  const dependsOnContent = readsContent(encoding, encodings);
  const positions = `positions = np.arange(${length})`;
  return {
    values: dependsOnContent
      ? { encoding: constructorCall, q: pythonArray('q', randomNormal(seed, shape)), k: pythonArray('k', randomNormal(nextSeed, shape)) }
      : { encoding: constructorCall },
    lines: dependsOnContent
      ? [positions, `biases = encoding.content_bias(q, k, positions, positions, encoding.logit_scale(${dim}))`]
      : [positions, `biases = encoding.attention_bias(${heads}, positions, positions)`],
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const q = phasor.randomNormal({ seed: ${seed}, shape: [${shape.join(', ')}] });
const k = phasor.randomNormal({ seed: ${nextSeed}, shape: [${shape.join(', ')}] });
const request = { q, k, encoding: ${formatJsEncoding(encoding)} };
const { bias: biases } = phasor.attention({ ...request, v: k, outputs: ['bias'] });
`,
  };
}
