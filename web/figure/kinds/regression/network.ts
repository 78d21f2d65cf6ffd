// Renders a network's output image from its weights, because the trainer evaluates only half of the pixels and returns
// no colours. The core computes the features, and the matrix products as attention scores.
import type { EncodingConfig } from '../../../engine/types/encodings.ts';
import type { Weights } from '../../../engine/types/train-results.ts';
import type { Engine } from '../../contract/kind.ts';
import { PIXEL_COUNT, SIDE, toPixelTensor } from './pixels.ts';

/** Network inputs, [pixels, inputs]. */
export interface Inputs {
  readonly data: Float32Array;
}

/** [pixels, 2]: row and column of each pixel, divided by the side. */
const createPixelPositions = () => ({
  shape: [PIXEL_COUNT, 2],
  data: Float32Array.from(
    { length: 2 * PIXEL_COUNT },
    (_, index) => (index % 2 === 0 ? Math.floor(index / 2 / SIDE) : (index >> 1) % SIDE) / SIDE,
  ),
});

export async function computeInputs(encoding: EncodingConfig & { readonly id: string }, engine: Engine): Promise<Inputs> {
  return encoding.id === 'none' ? createPixelPositions() : engine.positionTable({ encoding, positions: createPixelPositions(), dim: 1 });
}

/** Returns the output image, [pixels, 3]. */
export async function renderImage(weights: Weights, inputs: Inputs, engine: Engine) {
  let { data } = inputs;
  const layers = Object.keys(weights).filter((name) => name.endsWith('.weight')).length;
  for (let layer = 0; layer < layers; layer++) {
    const weight = weights[`layers.${layer}.weight`];
    const bias = weights[`layers.${layer}.bias`];
    if (!weight || !bias) throw new Error(`weights: layer ${layer} is incomplete; expected a weight and a bias`);
    const [units = 0, width = 0] = weight.shape;
    const { scores } = await engine.attention({
      q: { shape: [1, PIXEL_COUNT, width], data },
      k: { shape: [1, units, width], data: weight.data },
      v: { shape: [1, units, 1], data: new Float32Array(units) },
      scale: 1,
      outputs: ['scores'],
    });
    data = scores.data;
    const isLastLayer = layer === layers - 1;
    for (let index = 0; index < data.length; index++) {
      const preActivation = (data[index] as number) + (bias.data[index % units] as number);
      data[index] = isLastLayer ? 1 / (1 + Math.exp(-preActivation)) : Math.max(0, preActivation);
    }
  }
  return toPixelTensor(data);
}
