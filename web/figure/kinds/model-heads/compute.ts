// Measures all heads of the language model on the user's text, and gets the attention weights of the top heads.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { HeadMeasures } from '../../../engine/types/model-changes.ts';
import { writeConfigSentence } from '../../compute/config-sentence.ts';
import { tokenizeText } from '../../compute/model-text.ts';
import type { KindContext, LanguageModel } from '../../contract/context.ts';
import { boolean, choice, count, type SpecOf, text, withLabels } from '../../contract/fields.ts';
import { SpecError } from '../../contract/spec.ts';
import { computeMaxDifference, getRecomputedMeasures, type RecomputedMeasures } from './recomputed.ts';
import { strings } from './strings.ts';

/**
 * Two tokens are needed to measure attention to the previous token. With more than 300, attention map cells would be
 * narrower than a pixel.
 */
const [MIN_TOKENS, MAX_TOKENS] = [2, 300];
const SHOWN_HEAD_COUNT = 6;

/** Maps values of the `headMeasure` field to keys of `HeadMeasures`. */
const MEASURES = {
  previous: 'previous',
  first: 'first',
  duplicate: 'duplicate',
  induction: 'induction',
  distance: 'distance',
  entropy: 'entropy',
  share_of_distance: 'shareOfDistance',
  use_of_position: 'useOfPosition',
} as const satisfies { readonly [choice: string]: keyof HeadMeasures };
export type MeasureId = keyof typeof MEASURES;

export const getMeasureName = (measure: MeasureId): string => MEASURES[measure];

export const fields = {
  text: text(strings.example),
  headMeasure: withLabels(
    choice('previous', 'first', 'duplicate', 'induction', 'distance', 'entropy', 'share_of_distance', 'use_of_position'),
    strings.measures,
  ),
  sorted: boolean(false),
  /** Layer and head, counted from 1. A value of 0 is replaced with that of the head with the largest measure. */
  layer: count(0, 0, 256),
  head: count(0, 0, 256),
};
export type Spec = SpecOf<typeof fields>;

export interface HeadLocation {
  /** Index from 0. */
  readonly layer: number;
  readonly head: number;
  /** layer * heads + head. */
  readonly index: number;
}

export interface Results {
  readonly model: Pick<LanguageModel, 'name' | 'isShipped' | 'tokenizerProblem'> & LanguageModel['model']['info'];
  /**
   * Describes the position settings in config.json. Undefined for GGUF files and for configs that cannot be parsed.
   */
  readonly positionsText: string | undefined;
  readonly ids: readonly number[];
  readonly pieces: readonly string[];
  /** [layers, heads]. */
  readonly measure: Tensor;
  readonly rankedHeads: readonly number[];
  /** The top heads in `rankedHeads`, with attention weights [tokens, tokens]. */
  readonly strongestHeads: readonly { readonly location: HeadLocation; readonly weights: Tensor }[];
  readonly chosenHead: { readonly location: HeadLocation; readonly weights: Tensor };
  readonly chosenMeasures: RecomputedMeasures;
  /** Result of `computeMaxDifference` for the selected head. */
  readonly residual: number;
  /** The most likely next tokens; empty if the model has no output head. */
  readonly nextTokens: readonly { readonly text: string; readonly probability: number }[];
}

function locateHead(index: number, heads: number): HeadLocation {
  return { layer: Math.floor(index / heads), head: index % heads, index };
}

/** Returns the selected head. A `layer` or `head` of 0 is replaced with that of `best`. */
function resolveHead({ layer, head }: Spec, best: HeadLocation, { layers, heads }: Results['model']): HeadLocation {
  if (layer > layers) throw new SpecError('layer', strings.layerOutOfRange(layer, layers));
  if (head > heads) throw new SpecError('head', strings.headOutOfRange(head, heads));
  const location = { layer: layer === 0 ? best.layer : layer - 1, head: head === 0 ? best.head : head - 1 };
  return { ...location, index: location.layer * heads + location.head };
}

async function describePositions({ config }: LanguageModel, engine: KindContext['engine']): Promise<string | undefined> {
  if (config === undefined) return undefined;
  try {
    return (await writeConfigSentence(JSON.parse(config), engine)).sentence;
  } catch {
    return undefined;
  }
}

function getMeasure(measures: HeadMeasures, id: MeasureId): Tensor {
  const measure = measures[MEASURES[id]];
  if (!measure) throw new SpecError('headMeasure', id === 'use_of_position' ? strings.cannotRemovePositions : strings.noRepeatedToken);
  return measure;
}

export async function computeHeadMeasures(spec: Spec, { engine, languageModel, cache, signal, progress }: KindContext): Promise<Results> {
  if (!languageModel) throw new Error(strings.noModel);
  const loadedModel = await languageModel();
  const { model, tokenizer, name, isShipped, tokenizerProblem } = loadedModel;
  const { info } = model;
  const { ids, pieces } = await tokenizeText(spec.text, loadedModel, MIN_TOKENS, MAX_TOKENS);
  const key = `${loadedModel.key} ${ids}`;
  /** Reuses results for the same text when the user selects another measure or head. */
  const getCachedResult = <Value>(slot: string, make: () => Promise<Value>): Promise<Value> => cache?.get(slot, key, make) ?? make();
  const topK = info.hasHead ? Math.min(3, info.vocabSize) : 0;
  const { headMeasures, predictions } = await getCachedResult('run', () =>
    model.run(ids, { outputs: ['headMeasures'], ...(topK ? { topK, logitsToKeep: 1 } : {}) }),
  );
  const measure = getMeasure(headMeasures, spec.headMeasure);
  const rankedHeads = Array.from(measure.data.keys()).sort((a, b) => entryAt(measure.data, b) - entryAt(measure.data, a) || a - b);
  const modelInfo = { name, isShipped, tokenizerProblem, ...info };
  const chosenLocation = resolveHead(spec, locateHead(rankedHeads[0] as number, info.heads), modelInfo);
  const strongestLocations = rankedHeads.slice(0, SHOWN_HEAD_COUNT).map((index) => locateHead(index, info.heads));
  const weightsByHead = new Map<number, Tensor>();
  for (const { layer, head, index } of [chosenLocation, ...strongestLocations]) {
    if (signal?.aborted) break;
    const { data } = await getCachedResult(`head ${index}`, () => model.attention(ids, { layer, head }));
    weightsByHead.set(index, { shape: [ids.length, ids.length], data });
    progress?.(weightsByHead.size / (strongestLocations.length + 1));
  }
  const withWeights = (location: HeadLocation) => ({ location, weights: weightsByHead.get(location.index) as Tensor });
  const chosenHead = withWeights(chosenLocation);
  const coreMeasures = getRecomputedMeasures(headMeasures, chosenLocation.index);
  return {
    model: modelInfo,
    positionsText: await describePositions(loadedModel, engine),
    ids,
    pieces: pieces.map((piece) => piece.text),
    measure,
    rankedHeads,
    strongestHeads: strongestLocations.map(withWeights),
    chosenHead,
    chosenMeasures: coreMeasures,
    residual: computeMaxDifference(coreMeasures, chosenHead.weights, info.causal),
    nextTokens: await Promise.all(
      (predictions?.[0] ?? []).map(async ({ id, logProbability }) => ({
        text: tokenizer ? await tokenizer.decode([id]) : String(id),
        probability: Math.exp(logProbability),
      })),
    ),
  };
}
