// The numbers of a character model on the text of a figure: as shipped, or at a snapshot of its training on this page.
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { modelsOf, type Training, withModel } from './model.ts';
import { strings } from './strings.ts';

/** The result of `use` for a model, and its training progress. */
export async function shownNumbers<Numbers extends object>(
  model: ShippedModel,
  spec: Spec,
  means: KindContext,
  use: (trainer: Trainer) => Promise<Numbers>,
): Promise<Numbers & Training> {
  const { createTrainer, corpus } = means;
  const { seed, run: origin } = spec;
  const models = await modelsOf(means);
  const still = { model, isHashed: models.canHash };
  if (origin === 'recorded') {
    if (seed !== model.spec.seed) throw new SpecError('seed', `seed: ${strings.notRecorded(Number(model.spec.seed))}`);
    return withModel(model.id, means, async (trainer) => ({
      ...(await use(trainer)),
      ...still,
      origin,
      spec: trainer.config,
      steps: [model.steps],
      at: 0,
      isRunning: false,
      isHidden: false,
      canTrain: createTrainer !== undefined && corpus !== undefined,
    }));
  }
  if (!createTrainer) throw new SpecError('run', `run: ${strings.cannotTrain}`);
  if (!corpus) throw new SpecError('run', `run: ${strings.lacksNovel}`);
  const [{ shownLive }, text] = await Promise.all([import('./shown-live.ts'), corpus()]);
  const begin = (): Promise<Trainer> => createTrainer({ ...model.spec, seed, corpus: text });
  return shownLive({ model, still, begin }, spec, means, use);
}

// A text as input of a character model. Unknown characters are listed, not dropped silently.

export interface Reading {
  /** The input of the model, one token each. */
  readonly characters: readonly string[];
  /** Unknown characters of the text, each once. */
  readonly unknown: readonly string[];
  /** Number of known characters, including those beyond the input. */
  readonly total: number;
  /** Whether there were capital letters, which the model does not have. */
  readonly isLowered: boolean;
}

/**
 * A text preprocessed as in the task `text` of the core: white space becomes one space, and A to Z lower case. At most `most` characters.
 */
export function readingOf(text: string, symbols: string, most: number): Reading {
  const known = new Set(symbols);
  const spaced = text.replace(/\s+/g, ' ').trim();
  const lowered = spaced.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const all = [...lowered];
  const stored = all.filter((character) => known.has(character));
  return {
    characters: stored.slice(0, most),
    unknown: [...new Set(all.filter((character) => !known.has(character)))],
    total: stored.length,
    isLowered: lowered !== spaced,
  };
}
