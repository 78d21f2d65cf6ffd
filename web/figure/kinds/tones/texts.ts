import { entryAt } from '../../../charts/entry-at.ts';
import type { Tones } from './compute.ts';
import { findCommonInterval, findNearestNote, isAudible, MIN_AUDIBLE_HERTZ } from './pitch.ts';
import { strings } from './strings.ts';

export function describeTones({ heardFrequencies }: Tones): string {
  const audibleTones = [...heardFrequencies].filter(isAudible);
  const interval = heardFrequencies.length > 1 ? findCommonInterval(heardFrequencies) : undefined;
  return strings.rangeReadout(
    audibleTones.length,
    heardFrequencies.length - audibleTones.length,
    Math.min(...audibleTones),
    Math.max(...audibleTones),
    interval && strings.intervalClause(interval),
  );
}

export function describeTone({ heardFrequencies, trainedFrequencies, unsampledFrequencies }: Tones, pair: number): string {
  const [heardHertz, trainedHertz, unsampledHertz] = [heardFrequencies, trainedFrequencies, unsampledFrequencies].map((frequencies) =>
    entryAt(frequencies, pair),
  ) as [number, number, number];
  const isAliased = Math.abs(unsampledHertz - heardHertz) > 1e-3 * unsampledHertz;
  const isShifted = Math.abs(heardHertz - trainedHertz) > 1e-4 * trainedHertz;
  const noteText =
    heardHertz > MIN_AUDIBLE_HERTZ && !isAudible(heardHertz)
      ? strings.tooHigh
      : isAudible(heardHertz)
        ? findNearestNote(heardHertz)
        : undefined;
  return `${strings.toneReadout(pair, heardHertz, noteText)}${isAliased ? strings.aliasedClause(unsampledHertz) : ''}${isShifted ? strings.trainedClause(trainedHertz) : ''}`;
}
