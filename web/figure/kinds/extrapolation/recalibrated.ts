// RoPE as a scaffold of training (DroPE, Gelberg et al. 2025, arXiv 2512.12167): a model that was trained with RoPE goes on without positions for a
// few percent of its steps, and then reads longer texts without them.
import type { TrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';

/** The training after RoPE is removed: fields of its config. The schedule begins again. */
export interface Recalibration {
  readonly steps: number;
  readonly warmupSteps: number;
}

/** What the model reads with, after its recalibration. */
export const WITHOUT_ROPE = { id: 'none' } as const;

/** The batches of the recalibration are those of another seed: the model has not seen them. */
const SEED_OFFSET = 100;

/**
 * Weights that were trained with RoPE, recalibrated without positions.
 * @param config of the model with RoPE
 * @param weights as a safetensors file, and so is the result
 */
export async function recalibratedWeights(
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
