import { entryAt } from '../../../charts/entry-at.ts';
import type { Tones } from './compute.ts';
import { commonInterval, isAudible, MIN_AUDIBLE, nearestNote } from './pitch.ts';
import { strings } from './strings.ts';

export function describeTones({ heardFrequencies }: Tones): string {
  const audibleTones = [...heardFrequencies].filter(isAudible);
  const interval = heardFrequencies.length > 1 ? commonInterval(heardFrequencies) : undefined;
  return strings.range(
    audibleTones.length,
    heardFrequencies.length - audibleTones.length,
    Math.min(...audibleTones),
    Math.max(...audibleTones),
    interval && strings.interval(interval),
  );
}

export function toneText({ heardFrequencies, trainedFrequencies, unsampledFrequencies }: Tones, pair: number): string {
  const [heardHertz, trainedHertz, unsampledHertz] = [heardFrequencies, trainedFrequencies, unsampledFrequencies].map((all) =>
    entryAt(all, pair),
  ) as [number, number, number];
  const isAliased = Math.abs(unsampledHertz - heardHertz) > 1e-3 * unsampledHertz;
  const isMoved = Math.abs(heardHertz - trainedHertz) > 1e-4 * trainedHertz;
  const tone =
    heardHertz > MIN_AUDIBLE && !isAudible(heardHertz) ? strings.tooHigh : isAudible(heardHertz) ? nearestNote(heardHertz) : undefined;
  return `${strings.tone(pair, heardHertz, tone)}${isAliased ? strings.folded(unsampledHertz) : ''}${isMoved ? strings.asTrained(trainedHertz) : ''}`;
}
