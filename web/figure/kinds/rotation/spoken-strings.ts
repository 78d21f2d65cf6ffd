// What is said after a movement, fetched with what hands do.
import type { Rotation } from '../../compute/rotation-numbers.ts';
import { positionText } from './degrees.ts';
import { type Shown, verdictOf } from './picture.ts';

const spoken = {
  at: (query: string, key: string) => `Query at ${query}, key at ${key}.`,
  still: (score: string) => `Both moved; the score is still ${score}.`,
  is: (score: string) => `The score is ${score}.`,
  changed: (before: string, score: string) => `The score went from ${before} to ${score}.`,
} as const;

/** Where query and key are now, and what became of the score. */
export function spokenOutcome(rotation: Rotation, shown: Shown): string {
  const { isSame, hasBothMoved, score, was } = verdictOf(rotation, shown);
  const { query, key } = shown.standing;
  const stays = isSame === undefined || !hasBothMoved ? spoken.is(score) : spoken.still(score);
  return `${spoken.at(positionText(query), positionText(key))} ${isSame === false ? spoken.changed(was, score) : stays}`;
}
