// What every head of the language model of the page does with the positions of a text, and the weights of a few of them.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { HeadMeasures } from '../../../engine/types/model-changes.ts';
import { configSentence } from '../../compute/config-sentence.ts';
import { modelText } from '../../compute/model-text.ts';
import type { KindContext, LanguageModel } from '../../contract/context.ts';
import { boolean, choice, count, labelled, type SpecOf, text } from '../../contract/fields.ts';
import { SpecError } from '../../contract/spec.ts';
import { type ChosenMeasures, chosenMeasures, differenceOf } from './recomputed.ts';
import { strings } from './strings.ts';

/** Tokens of a text: fewer have no previous one, and more are narrower than a pixel. */
const [LEAST, MOST] = [2, 300];
/** The heads whose weights are shown small. */
const HEADS_SHOWN = 6;

/** The measures by the choice of the reader. */
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

/** Its name in the results of the model. */
export const measureName = (measure: MeasureId): string => MEASURES[measure];

export const fields = {
  text: text(strings.example),
  headMeasure: labelled(
    choice('previous', 'first', 'duplicate', 'induction', 'distance', 'entropy', 'share_of_distance', 'use_of_position'),
    strings.measures,
  ),
  sorted: boolean(false),
  /** From 1 on; 0 is that of the head with the largest measure. */
  layer: count(0, 0, 256),
  head: count(0, 0, 256),
};
export type Spec = SpecOf<typeof fields>;

export interface HeadPlace {
  /** From 0 on. */
  readonly layer: number;
  readonly head: number;
  /** Counted through all layers. */
  readonly index: number;
}

export interface Numbers {
  readonly model: Pick<LanguageModel, 'name' | 'isShipped' | 'tokenizerProblem'> & LanguageModel['model']['info'];
  /** What its config.json says about positions, in one sentence; undefined of GGUF files, and of configs that the core does not read. */
  readonly positions: string | undefined;
  readonly ids: readonly number[];
  readonly pieces: readonly string[];
  /** [layers, heads]. */
  readonly measure: Tensor;
  /** Heads from the largest measure to the smallest, counted through all layers. */
  readonly ranked: readonly number[];
  /** The first of them with their weights [tokens, tokens]. */
  readonly strongest: readonly { readonly at: HeadPlace; readonly weights: Tensor }[];
  readonly chosen: { readonly at: HeadPlace; readonly weights: Tensor };
  readonly chosenMeasures: ChosenMeasures;
  /** The largest difference between the measures of the chosen head and the same from its weights, relative to 1 + the measure. */
  readonly residual: number;
  /** The likeliest next tokens of a model with a head, with their probabilities. */
  readonly next: readonly { readonly text: string; readonly probability: number }[];
}

function placeOf(index: number, heads: number): HeadPlace {
  return { layer: Math.floor(index / heads), head: index % heads, index };
}

/** The head of the fields; a layer or a head of 0 is that of the largest measure. */
function chosenPlace({ layer, head }: Spec, best: HeadPlace, { layers, heads }: Numbers['model']): HeadPlace {
  if (layer > layers) throw new SpecError('layer', strings.noLayer(layer, layers));
  if (head > heads) throw new SpecError('head', strings.noHead(head, heads));
  const at = { layer: layer === 0 ? best.layer : layer - 1, head: head === 0 ? best.head : head - 1 };
  return { ...at, index: at.layer * heads + at.head };
}

async function positionsOf({ config }: LanguageModel, engine: KindContext['engine']): Promise<string | undefined> {
  if (config === undefined) return undefined;
  try {
    return (await configSentence(JSON.parse(config), engine)).sentence;
  } catch {
    return undefined;
  }
}

function measureOf(measures: HeadMeasures, id: MeasureId): Tensor {
  const found = measures[MEASURES[id]];
  if (!found) throw new SpecError('headMeasure', id === 'use_of_position' ? strings.noUse : strings.noRepeats);
  return found;
}

export async function headNumbers(spec: Spec, { engine, languageModel, kept, signal, progress }: KindContext): Promise<Numbers> {
  if (!languageModel) throw new Error(strings.noModel);
  const opened = await languageModel();
  const { model, tokenizer, name, isShipped, tokenizerProblem } = opened;
  const { info } = model;
  const { ids, pieces } = await modelText(spec.text, opened, LEAST, MOST);
  const key = `${opened.key} ${ids}`;
  /** Kept for other measures and heads of the same text. */
  const stored = <Value>(slot: string, make: () => Promise<Value>): Promise<Value> => kept?.get(slot, key, make) ?? make();
  const topK = info.hasHead ? Math.min(3, info.vocabSize) : 0;
  const { headMeasures, predictions } = await stored('run', () =>
    model.run(ids, { outputs: ['headMeasures'], ...(topK ? { topK, logitsToKeep: 1 } : {}) }),
  );
  const measure = measureOf(headMeasures, spec.headMeasure);
  const ranked = Array.from(measure.data.keys()).sort((a, b) => entryAt(measure.data, b) - entryAt(measure.data, a) || a - b);
  const about = { name, isShipped, tokenizerProblem, ...info };
  const at = chosenPlace(spec, placeOf(ranked[0] as number, info.heads), about);
  const places = ranked.slice(0, HEADS_SHOWN).map((index) => placeOf(index, info.heads));
  const shown = new Map<number, Tensor>();
  for (const { layer, head, index } of [at, ...places]) {
    if (signal?.aborted) break;
    const { data } = await stored(`head ${index}`, () => model.attention(ids, { layer, head }));
    shown.set(index, { shape: [ids.length, ids.length], data });
    progress?.(shown.size / (places.length + 1));
  }
  const withWeights = (place: HeadPlace) => ({ at: place, weights: shown.get(place.index) as Tensor });
  const chosen = withWeights(at);
  const measured = chosenMeasures(headMeasures, at.index);
  return {
    model: about,
    positions: await positionsOf(opened, engine),
    ids,
    pieces: pieces.map((piece) => piece.text),
    measure,
    ranked,
    strongest: places.map(withWeights),
    chosen,
    chosenMeasures: measured,
    residual: differenceOf(measured, chosen.weights, info.causal),
    next: await Promise.all(
      (predictions?.[0] ?? []).map(async ({ id, logProbability }) => ({
        text: tokenizer ? await tokenizer.decode([id]) : String(id),
        probability: Math.exp(logProbability),
      })),
    ),
  };
}
