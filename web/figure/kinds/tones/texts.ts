// Descriptions of the tones.
import { entryAt } from '../../../charts/entry-at.ts';
import type { Tones } from './compute.ts';
import { commonInterval, isAudible, LOWEST, noteOf } from './pitch.ts';
import { strings } from './strings.ts';

/** The number of audible tones, their range, and their interval. */
export function rangeOf({ heard }: Tones): string {
  const audible = [...heard].filter(isAudible);
  const interval = heard.length > 1 ? commonInterval(heard) : undefined;
  return strings.range(
    audible.length,
    heard.length - audible.length,
    Math.min(...audible),
    Math.max(...audible),
    interval && strings.interval(interval),
  );
}

export function toneText({ heard, trained, full }: Tones, pair: number): string {
  const [now, before, unsampled] = [heard, trained, full].map((all) => entryAt(all, pair)) as [number, number, number];
  const isAliased = Math.abs(unsampled - now) > 1e-3 * unsampled;
  const isMoved = Math.abs(now - before) > 1e-4 * before;
  const tone = now > LOWEST && !isAudible(now) ? strings.tooHigh : isAudible(now) ? noteOf(now) : undefined;
  return `${strings.tone(pair, now, tone)}${isAliased ? strings.folded(unsampled) : ''}${isMoved ? strings.asTrained(before) : ''}`;
}
