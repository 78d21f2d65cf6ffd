// Computes how much each head of a trained model uses each rotary frequency on a text. Loaded on demand.

import { period } from '../../../charts/clocks/clocks.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { rotationMatrix } from '../../../engine/analysis.ts';
import type { Tensor } from '../../../engine/index.ts';
import { detectPairing, pairChannels } from '../../compute/rotation.ts';
import type { KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { type FrequencyResults, frequencyStrings, view } from './frequencies.ts';
import { hasOtherParams, joinOrdered } from './heads.ts';
import type { Spec } from './index.ts';
import { requireModels } from './model.ts';
import { createModelInput, evaluateModel } from './shown.ts';
import { strings } from './strings.ts';

/** Maximum number of chunks read from a long text. Each chunk has the training length. */
const MAX_CHUNKS = 16;

/** Accumulates |q||k| per head and channel pair over the chunks of a text. */
export class FrequencyUse {
  /** [heads, pairs]: sums of |q||k| in the plane of each pair, over all visible keys. */
  readonly products: Float64Array;
  private visibleCount = 0;

  constructor(
    private readonly heads: number,
    private readonly channels: readonly (readonly [number, number])[],
  ) {
    this.products = new Float64Array(heads * channels.length);
  }

  /**
   * Adds a chunk: q and k [heads, tokens, dim], not rotated, because rotation preserves lengths. A query attends to its
   * own token and all earlier tokens.
   */
  add(q: Float32Array, k: Float32Array, tokens: number): void {
    const width = q.length / this.heads / tokens;
    this.visibleCount += (tokens * (tokens + 1)) / 2;
    for (let head = 0; head < this.heads; head++) {
      this.channels.forEach(([a, b], pair) => {
        let [keyLengths, product] = [0, 0];
        for (let token = 0; token < tokens; token++) {
          const row = (head * tokens + token) * width;
          const computeLength = (vectors: Float32Array): number => Math.hypot(entryAt(vectors, row + a), entryAt(vectors, row + b));
          keyLengths += computeLength(k);
          product += computeLength(q) * keyLengths;
        }
        this.products[head * this.channels.length + pair] = entryAt(this.products, head * this.channels.length + pair) + product;
      });
    }
  }

  /** Returns [heads, pairs]: |q||k| averaged over the visible keys of all queries. */
  computeMeans(): Tensor {
    return { shape: [this.heads, this.channels.length], data: Float32Array.from(this.products, (sum) => sum / this.visibleCount) };
  }
}

export function normalizeRows({ shape, data }: Tensor): Tensor {
  const [rows = 0, columns = 0] = shape;
  const shares = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    const values = data.subarray(row * columns, (row + 1) * columns);
    const sum = values.reduce((total, value) => total + value, 0);
    values.forEach((value, column) => {
      shares[row * columns + column] = value / sum;
    });
  }
  return { shape, data: shares };
}

const mergeLayers = ({ shape, data }: Tensor): Tensor => {
  const [layers = 1, heads = 1, tokens = 1, width = 1] = shape;
  return { shape: [layers * heads, tokens, width], data };
};

/** Concatenates chunks [heads, tokens, dim] to [heads, all tokens, dim]. */
function concatenateChunks(chunks: readonly Tensor[], heads: number, width: number): Tensor {
  const tokenCount = chunks.reduce((sum, { shape }) => sum + entryAt(shape, 1), 0);
  const data = new Float32Array(heads * tokenCount * width);
  let offset = 0;
  for (const chunk of chunks) {
    const tokens = entryAt(chunk.shape, 1);
    for (let head = 0; head < heads; head++) {
      const headRows = chunk.data.subarray(head * tokens * width, (head + 1) * tokens * width);
      data.set(headRows, (head * tokenCount + offset) * width);
    }
    offset += tokens;
  }
  return { shape: [heads, tokenCount, width], data };
}

export async function computeFrequencyResults(spec: Spec, context: KindContext): Promise<FrequencyResults> {
  const { engine } = context;
  const { id } = spec.encoding;
  const info = engine.encodings.find((encoding) => encoding.id === id);
  if (!info?.rotates) throw new SpecError('show', `show: ${frequencyStrings.noFrequencies(id)}`);
  const models = await requireModels(context);
  const model = await models.find(`text-${id}`);
  const trainedLength = model.lengths[0]?.length ?? 1;
  const modelInput = createModelInput(joinOrdered(spec), model.text?.symbols ?? '', MAX_CHUNKS * trainedLength);
  const { characters } = modelInput;
  if (characters.length === 0) throw new SpecError('text', `text: ${strings.noKnownCharacters}`);
  return evaluateModel(model, spec, context, async (trainer) => {
    const { layers, heads: headsPerLayer, embedDim, encoding, scale } = trainer.config;
    const [heads, width] = [layers * headsPerLayer, embedDim / headsPerLayer];
    const { data: angles } = await engine.rotaryAngles({ encoding, positions: [1], dim: width });
    const pairing = detectPairing(await rotationMatrix(engine, { encoding, position: 1, dim: width }), width, angles.length);
    if (!pairing) throw new Error(`cannot determine which channels ${id} rotates in pairs`);
    const channels = pairChannels(pairing, angles.length);
    const frequencyUse = new FrequencyUse(heads, channels);
    const weightSums = new Float64Array(heads * Math.min(trainedLength, characters.length));
    const distanceCount = weightSums.length / heads;
    const queryCounts = new Float64Array(distanceCount);
    const [queries, keys]: [Tensor[], Tensor[]] = [[], []];
    let residual = 0;
    const tokens = await trainer.tokens(characters.join(''));
    for (let chunkStart = 0; chunkStart < tokens.length; chunkStart += trainedLength) {
      const chunk = tokens.slice(chunkStart, chunkStart + trainedLength);
      const vectors = await trainer.queriesAndKeys(chunk);
      const [q, k] = [mergeLayers(vectors.q), mergeLayers(vectors.k)];
      const { data: maps } = await trainer.attentionWeights(chunk);
      const { weights } = await engine.attention({
        q,
        k,
        v: k,
        encoding,
        mask: 'causal',
        outputs: ['weights'],
        ...(scale === undefined ? {} : { scale }),
      });
      const chunkLength = chunk.length;
      for (let index = 0; index < maps.length; index++) {
        // Math.max returns NaN if a weight is NaN, so that the proof fails.
        residual = Math.max(residual, Math.abs(entryAt(maps, index) - entryAt(weights.data, index)));
        const distance = (Math.floor(index / chunkLength) % chunkLength) - (index % chunkLength);
        if (distance < 0) continue;
        const cell = Math.floor(index / chunkLength ** 2) * distanceCount + distance;
        weightSums[cell] = entryAt(weightSums, cell) + entryAt(maps, index);
      }
      for (let distance = 0; distance < chunkLength; distance++)
        queryCounts[distance] = entryAt(queryCounts, distance) + chunkLength - distance;
      frequencyUse.add(q.data, k.data, chunkLength);
      queries.push(q);
      keys.push(k);
    }
    const products = frequencyUse.computeMeans();
    return {
      show: 'frequencies' as const,
      view,
      modelInput,
      layers,
      heads: headsPerLayer,
      trainedLength,
      channels,
      wavelengths: angles.map(period),
      products,
      shares: normalizeRows(products),
      meanByDistance: {
        shape: [heads, distanceCount],
        data: Float32Array.from(weightSums, (sum, index) => sum / entryAt(queryCounts, index % distanceCount)),
      },
      q: concatenateChunks(queries, heads, width),
      k: concatenateChunks(keys, heads, width),
      residual,
      hasOtherParams: hasOtherParams(spec, model, engine.encodings),
    };
  });
}
