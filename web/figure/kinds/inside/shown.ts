// Runs a character model on the figure's text. The model is as shipped, or a snapshot from training on this page.
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { requireModels, type Training, withModel } from './model.ts';
import { strings } from './strings.ts';

/** Calls `callback` with the shipped or live model, and returns its result together with the training state. */
export async function evaluateModel<Results extends object>(
  model: ShippedModel,
  spec: Spec,
  context: KindContext,
  callback: (trainer: Trainer) => Promise<Results>,
): Promise<Results & Training> {
  const { createTrainer, corpus } = context;
  const { seed, run: origin } = spec;
  const models = await requireModels(context);
  const modelState = { model, isHashVerified: models.canHash };
  if (origin === 'recorded') {
    if (seed !== model.spec.seed) throw new SpecError('seed', `seed: ${strings.notRecorded(Number(model.spec.seed))}`);
    return withModel(model.id, context, async (trainer) => ({
      ...(await callback(trainer)),
      ...modelState,
      origin,
      config: trainer.config,
      steps: [model.steps],
      snapshotIndex: 0,
      isRunning: false,
      isPageHidden: false,
      canTrain: createTrainer !== undefined && corpus !== undefined,
    }));
  }
  if (!createTrainer) throw new SpecError('run', `run: ${strings.cannotTrain}`);
  if (!corpus) throw new SpecError('run', `run: ${strings.noNovel}`);
  const [{ evaluateLive }, text] = await Promise.all([import('./shown-live.ts'), corpus()]);
  const startTrainer = (): Promise<Trainer> => createTrainer({ ...model.spec, seed, corpus: text });
  return evaluateLive({ model, modelState, startTrainer }, spec, context, callback);
}

/** The input of a character model, and how it differs from the original text. */
export interface ModelInput {
  /** The model's input. Each character is a token. */
  readonly characters: readonly string[];
  /** Characters of the text that are not in the vocabulary, without duplicates. */
  readonly unknownCharacters: readonly string[];
  /** Number of characters of the text that are in the vocabulary, including those beyond the maximum length. */
  readonly knownCharacterCount: number;
  /** Whether capital letters were converted to lower case. */
  readonly isLowercased: boolean;
}

/**
 * Converts text to at most `maxLength` characters. Like the core's task `text`, collapses white space and converts A to
 * Z to lower case.
 */
export function createModelInput(text: string, symbols: string, maxLength: number): ModelInput {
  const symbolSet = new Set(symbols);
  const normalizedText = text.replace(/\s+/g, ' ').trim();
  const lowercaseText = normalizedText.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const allCharacters = [...lowercaseText];
  const knownCharacters = allCharacters.filter((character) => symbolSet.has(character));
  return {
    characters: knownCharacters.slice(0, maxLength),
    unknownCharacters: [...new Set(allCharacters.filter((character) => !symbolSet.has(character)))],
    knownCharacterCount: knownCharacters.length,
    isLowercased: lowercaseText !== normalizedText,
  };
}
