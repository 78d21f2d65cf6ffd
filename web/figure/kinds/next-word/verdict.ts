// The sentence on a prediction: the word, its certainty, and the reason.
import { html, type TemplateResult } from 'lit';
import type { Numbers } from './compute.ts';
import { strings } from './strings.ts';

/** The probability from which a prediction is called certain. */
const SURE = 0.9;

/** The parts of the sentence: the prediction, and the remark. */
export function verdictParts({ guesses, placed, copied, encoding, first }: Numbers): readonly [guess: string | undefined, remark: string] {
  const [best] = guesses;
  const last = placed.at(-1) ?? '';
  if (!best) return [undefined, strings.nothingReturns];
  if (copied === undefined) {
    const read = placed.slice(first).map((word) => word.toLowerCase());
    return [undefined, new Set(read).size === read.length ? strings.nothingReturns : strings.isNew(last)];
  }
  const right = placed[copied] as string;
  const isRight = best.word.toLowerCase() === right.toLowerCase();
  const guess = strings.sure(best.word, best.probability);
  if (encoding === 'none') return [guess, strings.blind];
  return [guess, isRight ? strings.followed(last) : strings.missed(last, right)];
}

export function verdict(numbers: Numbers): TemplateResult {
  const [guess, remark] = verdictParts(numbers);
  const isSure = (numbers.guesses[0]?.probability ?? 0) >= SURE;
  return guess === undefined ? html`${remark}` : html`<b class=${isSure ? 'same' : 'changed'}>${guess}</b> ${remark}`;
}
