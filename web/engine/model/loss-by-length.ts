// Computes a causal model's loss on consecutive windows of a token sequence, like `loss_by_length` in phasor/model.h. Each window is a
// separate run of the model.

import { argumentError } from '../errors.ts';
import { checkCancelled, checkHooks } from '../request/hooks.ts';
import { invalidValueError, outOfRangeError } from '../request/invalid-value.ts';
import { isNumberArray } from '../request/plain.ts';
import type { LengthLoss, LossByLengthOptions, ModelInfo, ModelOutput } from '../types/api.ts';
import { MAX_TOKENS } from './tokens.ts';

function checkIntegers(name: string, numbers: unknown, min: number, max: number): void {
  if (!(Array.isArray(numbers) || isNumberArray(numbers))) throw invalidValueError(name, numbers, 'is not a list of numbers');
  Array.from(numbers as ArrayLike<unknown>).forEach((number, index) => {
    if (!Number.isInteger(number)) throw invalidValueError(`${name}[${index}]`, number, 'is not a whole number');
    if ((number as number) < min || (number as number) > max) throw outOfRangeError(`${name}[${index}]`, number as number, min, max);
  });
}

/** @param runWindow returns the log-probability of every token of a window except the first */
export async function lossByLength(
  ids: readonly number[],
  options: LossByLengthOptions,
  { causal, hasHead, vocabSize }: ModelInfo,
  runWindow: (windowIds: readonly number[]) => Promise<Required<ModelOutput>['logProbabilities']>,
): Promise<readonly LengthLoss[]> {
  const { lengths, prefixIds = [], maxWindows = 8, onProgress, signal } = options;
  checkHooks({ onProgress, signal });
  if (!(causal && hasHead)) throw argumentError('inputIds', 'only a causal model with a language-model head has a next-token loss');
  if (!Number.isInteger(maxWindows)) throw invalidValueError('maxWindows', maxWindows, 'is not a whole number');
  if (maxWindows < 1 || maxWindows > MAX_TOKENS) throw outOfRangeError('maxWindows', maxWindows, 1, MAX_TOKENS);
  checkIntegers('inputIds', ids, 0, vocabSize - 1);
  checkIntegers('prefixIds', prefixIds, 0, vocabSize - 1);
  const prefix = Array.from(prefixIds);
  // Index of the first log-probability that is not a prefix token's. The first token of a window has no log-probability.
  const firstTextIndex = Math.max(prefix.length, 1) - 1;
  if (prefix.length + ids.length < firstTextIndex + 2)
    throw argumentError('inputIds', `a length of ${ids.length} is too short to predict a next token`);
  checkIntegers('lengths', lengths, firstTextIndex + 2, prefix.length + ids.length);
  if (lengths.length === 0) throw argumentError('lengths', 'is empty; expected at least one length');
  const windowPlans = Array.from(lengths, (length) => {
    const textTokens = length - prefix.length;
    return { length, textTokens, windows: Math.min(maxWindows, Math.floor(ids.length / textTokens)) };
  });
  const totalWindows = windowPlans.reduce((sum, { windows }) => sum + windows, 0);
  const losses: LengthLoss[] = [];
  let doneWindows = 0;
  for (const { length, textTokens, windows } of windowPlans) {
    let sum = 0;
    for (let windowIndex = 0; windowIndex < windows; windowIndex++) {
      checkCancelled(signal, 'lossByLength', doneWindows, totalWindows, 'windows');
      const logProbabilities = await runWindow([...prefix, ...ids.slice(windowIndex * textTokens, (windowIndex + 1) * textTokens)]);
      sum -= logProbabilities.slice(firstTextIndex).reduce((windowSum, logProbability) => windowSum + logProbability, 0);
      doneWindows += 1;
      onProgress?.({ done: doneWindows, total: totalWindows });
    }
    losses.push({ length, windows, loss: sum / (windows * (length - 1 - firstTextIndex)) });
  }
  return losses;
}
