// Results recorded by scripts/train/record.mjs. Loaded only when a figure displays them.
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { MODELS, type Results } from './compute.ts';
import recorded from './recorded.json';

const { lengths, chance, spec, models } = recorded;

/** Returns the results recorded with this seed, or undefined if the seed was not recorded. */
export function getRecording(
  seed: number,
): Pick<Results, 'lengths' | 'errors' | 'errorsByLength' | 'chance' | 'probedStep' | 'spec' | 'total' | 'command'> | undefined {
  const modelErrors = MODELS.map((model) => models[model].errors[seed - 1]);
  const [trained] = modelErrors;
  if (!trained) return undefined;
  const layers = trained[0]?.length ?? 0;
  return {
    command: recorded.command,
    total: spec.steps,
    probedStep: spec.steps,
    lengths,
    errors: { shape: [MODELS.length, layers], data: Float32Array.from(modelErrors.flatMap((errors) => errors?.at(-1) ?? [])) },
    errorsByLength: {
      shape: [layers, lengths.length],
      data: Float32Array.from(
        { length: layers * lengths.length },
        (_, index) => trained[index % lengths.length]?.[Math.floor(index / lengths.length)] ?? 0,
      ),
    },
    chance: { shape: [lengths.length], data: Float32Array.from(chance) },
    spec: { ...spec, causal: true, seed } as ResolvedTrainConfig,
  };
}
