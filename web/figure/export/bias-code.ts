// The bias of an encoding as programs that leave `biases` [heads, positions, positions].
import { drawingFunctions } from '../../encodings/code/parts/drawn.ts';
import { pytorchOf } from '../../encodings/code/parts/program.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { BiasSpec } from '../compute/bias.ts';
import type { SourceCode } from '../contract/kind.ts';
import { encodingCode } from './encoding-code.ts';

export function biasCode({ encoding, heads, width, length, seed }: BiasSpec, encodings: readonly EncodingInfo[]): SourceCode {
  const own = encodingCode(encoding, encodings);
  const hasContent = own.functions.includes('content_bias');
  const inside = /^def bias\(.*scale=/m.test(own.numpy);
  const terms = [
    ...(hasContent ? ['content_bias(q, k, positions, positions, scale)'] : []),
    ...(own.functions.includes('bias') ? [`bias(heads, positions, positions${inside ? ', scale' : ''})`] : []),
  ];
  const next = (seed + 1) % 2 ** 32;
  const steps = [
    `heads, width = ${heads}, ${width}`,
    ...(hasContent ? [`q = gaussian(${seed}, (heads, ${length}, width))`, `k = gaussian(${next}, (heads, ${length}, width))`] : []),
    `scale = ${own.scale}`,
    `positions = np.arange(${length})`,
    `biases = ${terms.join(' + ')}`,
    '',
  ].join('\n');
  // Those of the encoding are there already, where it draws numbers itself.
  const drawn = (text: string, language: 'numpy' | 'pytorch'): string =>
    hasContent && !/^def gaussian\(/m.test(text)
      ? `${language === 'pytorch' && !/^import numpy/m.test(text) ? 'import numpy as np\n' : ''}${/^import math/m.test(text) ? '' : 'import math\n'}${text}\n${drawingFunctions('gaussian(', language)}\n\n`
      : text;
  const shape = `[${heads}, ${length}, ${width}]`;
  return {
    numpy: `${drawn(own.numpy, 'numpy')}\n${steps}`,
    pytorch: `${drawn(own.pytorch, 'pytorch')}\n${pytorchOf(steps)}`,
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const q = phasor.gaussian({ seed: ${seed}, shape: ${shape} });
const k = phasor.gaussian({ seed: ${next}, shape: ${shape} });
const request = { q, k, encoding: ${own.choice} };
const { bias: biases } = phasor.attention({ ...request, v: k, want: ['bias'] });
`,
  };
}
