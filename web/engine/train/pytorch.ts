// Converts a trainer's config to the config format of public/reference/transformer.py.
import { argumentError, PhasorError } from '../errors.ts';
import type { ResolvedTrainConfig } from '../types/train-config.ts';

/** Encodings with trained parameters that learned_encodings.py does not implement. */
const UNSUPPORTED_ENCODINGS = ['fourier', 'liere', 'rope_fourier', 'rope_mixed', 'rope_selective'];

/**
 * Returns the config as JSON. Throws an error with the code `unsupported` if transformer.py does not support the task, the encoding or a
 * parameter.
 */
export function createPytorchConfig(spec: ResolvedTrainConfig): string {
  const { id, ...params } = spec.encoding as { readonly id: string };
  const unsupported = { code: 'unsupported' } as const;
  if (spec.task === 'image')
    throw argumentError('task', 'transformer.py does not support image tasks; expected a token task', { ...unsupported, value: spec.task });
  if (UNSUPPORTED_ENCODINGS.includes(id))
    throw new PhasorError(
      'unsupported',
      `encoding: ${id} is not in transformer.py; expected an encoding other than ${UNSUPPORTED_ENCODINGS.join(', ')}`,
      {
        argument: 'encoding',
        value: id,
      },
    );
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'object')
      throw argumentError(name, 'transformer.py supports arrays only in the weights, not in the config', unsupported);
  }
  return `${JSON.stringify(spec, (name, value) => (name === 'corpus' || name === 'image' ? undefined : value), 2)}\n`;
}
