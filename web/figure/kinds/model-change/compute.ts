// Computes how a position change affects the page's language model: its next-token predictions and its loss by text length. Also computes
// the loss after removing positions from one layer at a time.
import { PhasorError } from '../../../engine/errors.ts';
import type { Tensor } from '../../../engine/index.ts';
import { tokenizeText } from '../../compute/model-text.ts';
import type { KindContext, LanguageModel } from '../../contract/context.ts';
import { choice, count, number, type SpecOf, text, withLabels } from '../../contract/fields.ts';
import { SpecError } from '../../contract/spec.ts';
import { CHANGES, type ChangeId, type ChangeScope, createIdentityChanges, createPositionChanges, resolveAmount } from './changes.ts';
import { type LossMeasurement, measureLosses } from './losses.ts';
import { strings } from './strings.ts';

const [MIN_TOKENS, MAX_TOKENS] = [1, 300];
const TOP_K = 4;
const PROOF_TOKEN_COUNT = 48;

export const fields = {
  change: withLabels(choice(...CHANGES), strings.changes),
  /** 0: the default amount of the change. */
  amount: number(0, 0, 1e9),
  text: text(strings.example),
  /** Layer and head to change, counted from 1. 0: all. */
  layer: count(0, 0, 256),
  head: count(0, 0, 256),
  longest: count(512, 64, 2048),
};
export type Spec = SpecOf<typeof fields>;

/** A curve in the loss chart. `changed` is omitted if the change removes all positions, because it would equal `none`. */
export type LineId = 'trained' | 'none' | 'changed';

export interface Guess {
  readonly text: string;
  readonly logProbability: number;
}

export interface Results extends LossMeasurement {
  readonly model: Pick<LanguageModel, 'name' | 'isShipped'> & LanguageModel['model']['info'];
  /** Training context length in tokens, if the config contains it. */
  readonly trainedLength: number | undefined;
  readonly change: ChangeId;
  readonly amount: number | undefined;
  readonly lines: readonly LineId[];
  readonly ids: readonly number[];
  readonly tokenTexts: readonly string[];
  /** [lines][tokens]: the most likely next tokens, by curve. */
  readonly guesses: readonly (readonly Guess[])[];
  readonly residual: number;
}

function selectScope({ layer, head }: Spec, { layers, heads }: Results['model']): ChangeScope {
  if (layer > layers) throw new SpecError('layer', strings.outOfRange('layer', layer, layers));
  if (head > heads) throw new SpecError('head', strings.outOfRange('head', head, heads));
  return { ...(layer ? { layers: [layer - 1] } : {}), ...(head ? { heads: [head - 1] } : {}) };
}

const maxAbsDifference = (a: readonly number[] = [], b: readonly number[] = []): number =>
  a.length === b.length ? Math.max(...a.map((value, index) => Math.abs(value - (b[index] as number)))) : Number.NaN;

/** Computes the log-probability of each token after the first from logits [tokens, vocabulary], in float64. */
function computeLogProbabilities({ shape: [, size = 0], data }: Tensor, ids: readonly number[]): readonly number[] {
  return ids.slice(1).map((id, index) => {
    const row = data.subarray(index * size, (index + 1) * size);
    const maximum = row.reduce((largest, logit) => Math.max(largest, logit), Number.NEGATIVE_INFINITY);
    return (row[id] as number) - maximum - Math.log(row.reduce((sum, logit) => sum + Math.exp(logit - maximum), 0));
  });
}

/**
 * Returns the largest difference in log-probabilities between the two lists of changes that must have the same effect,
 * or between those that the model returns and those computed from its logits.
 */
async function measureResidual(
  { model }: LanguageModel,
  ids: readonly number[],
  change: ChangeId,
  context: Omit<Parameters<typeof createIdentityChanges>[1], 'tokens'>,
) {
  const textContext = { ...context, tokens: ids.length };
  const [leftChanges, rightChanges] = createIdentityChanges(change, textContext);
  const [a, b, changed] = await Promise.all([
    model.run(ids, { outputs: ['loss'], changes: leftChanges }),
    model.run(ids, { outputs: ['loss'], changes: rightChanges }),
    model.run(ids, { outputs: ['loss', 'logits'], changes: createPositionChanges(change, textContext) }),
  ]);
  return Math.max(
    maxAbsDifference(a.logProbabilities, b.logProbabilities),
    maxAbsDifference(changed.logProbabilities, computeLogProbabilities(changed.logits, ids)),
  );
}

async function predictNextTokens(
  { model, tokenizer }: LanguageModel,
  ids: readonly number[],
  changes: ReturnType<typeof createPositionChanges>,
) {
  try {
    const { predictions } = await model.run(ids, { topK: Math.min(TOP_K, model.info.vocabSize), logitsToKeep: 1, changes });
    return await Promise.all(
      (predictions?.[0] ?? []).map(
        async ({ id, logProbability }): Promise<Guess> => ({ text: tokenizer ? await tokenizer.decode([id]) : String(id), logProbability }),
      ),
    );
  } catch (thrown) {
    const { argument, message } = PhasorError.from(thrown);
    if (argument?.startsWith('changes')) throw new SpecError('change', strings.unsupportedChange(message));
    throw thrown;
  }
}

export async function computeModelChange(spec: Spec, context: KindContext): Promise<Results> {
  const { languageModel, corpus, signal } = context;
  if (!languageModel || !corpus) throw new Error(strings.noModel);
  const openedModel = await languageModel();
  const { model, name, isShipped, contextLength: trainedLength } = openedModel;
  const { info } = model;
  if (!info.causal || !info.hasHead) throw new Error(strings.noNextToken(info.modelType));
  const modelInfo = { name, isShipped, ...info };
  const amount = resolveAmount(spec.change, spec.amount, info);
  const scope = selectScope(spec, modelInfo);
  const { ids, pieces } = await tokenizeText(spec.text, openedModel, MIN_TOKENS, MAX_TOKENS);
  const removesAllPositions = spec.change === 'none' && spec.layer === 0 && spec.head === 0;
  const lines: readonly LineId[] = removesAllPositions ? ['trained', 'none'] : ['trained', 'none', 'changed'];
  const changesFor = (line: LineId, tokens: number) => {
    if (line === 'trained') return [];
    if (line === 'none') return createPositionChanges('none', { info, trainedLength, tokens, amount: undefined });
    return createPositionChanges(spec.change, { ...scope, info, trainedLength, tokens, amount });
  };
  const guesses: (readonly Guess[])[] = [];
  for (const line of lines) guesses.push(await predictNextTokens(openedModel, ids, changesFor(line, ids.length)));
  signal?.throwIfAborted();
  const novel = await corpus();
  const sharedResults = {
    model: modelInfo,
    trainedLength,
    change: spec.change,
    amount,
    lines,
    ids,
    tokenTexts: pieces.map((piece) => piece.text),
    guesses,
  };
  const key = JSON.stringify([spec.change, amount, scope]);
  const { passage, ...measured } = await measureLosses({
    languageModel: openedModel,
    novel,
    lines: lines.map((line) => ({ key: line === 'changed' ? key : line, changes: (tokens) => changesFor(line, tokens) })),
    maxLength: spec.longest,
    context,
    onStateChange: (currentLosses) => context.partial?.({ ...sharedResults, ...currentLosses, residual: 0 } satisfies Results),
  });
  const residual = await measureResidual(openedModel, passage(PROOF_TOKEN_COUNT), spec.change, { ...scope, info, trainedLength, amount });
  return { ...sharedResults, ...measured, residual };
}

/** Converts rows of equal length to a tensor [rows, columns]. */
export const toTensor = (rows: readonly (readonly number[])[]): Tensor => ({
  shape: [rows.length, rows[0]?.length ?? 0],
  data: Float32Array.from(rows.flat()),
});
