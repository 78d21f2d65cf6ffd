// DroPE (Gelberg et al. 2025, arXiv 2512.12167): a model trained with RoPE continues training without positions for a few percent of its
// steps. It is then evaluated on longer texts.
import type { TrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';

/** Settings of the additional training without RoPE, for which the learning rate schedule is restarted. */
export interface Recalibration {
  readonly steps: number;
  readonly warmupSteps: number;
}

export const WITHOUT_ROPE = { id: 'none' } as const;

/** Added to the seed, so that recalibration uses batches that the model has not seen. */
const SEED_OFFSET = 100;

/**
 * Trains a RoPE model further, without RoPE.
 * @param config the config of the RoPE model
 * @param weights the weights of the RoPE model, as safetensors
 * @returns the new weights, as safetensors
 */
export async function recalibrateModel(
  createTrainer: (config: TrainConfig) => Promise<Trainer>,
  config: TrainConfig,
  weights: Uint8Array<ArrayBuffer>,
  recalibration: Recalibration,
): Promise<Uint8Array<ArrayBuffer>> {
  const seed = (config.seed ?? 1) + SEED_OFFSET;
  const trainer = await createTrainer({ ...config, ...recalibration, seed, encoding: WITHOUT_ROPE });
  try {
    await trainer.loadWeights(weights);
    await trainer.step(recalibration.steps);
    return await trainer.saveWeights();
  } finally {
    trainer.dispose();
  }
}
