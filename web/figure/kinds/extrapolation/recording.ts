// Training results recorded by scripts/train/record.mjs. This module is loaded on demand.

import { entryAt } from '../../../charts/entry-at.ts';
import type { EncodingConfig } from '../../../engine/types/encodings.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import { computeMean } from '../../compute/seeds.ts';
import { SpecError } from '../../contract/spec.ts';
import type { Spec } from './index.ts';
import type { LineResults, MetricValues } from './lengths.ts';
import type { Recalibration } from './recalibrated.ts';
import recorded from './recorded.json';
import type { Scaling } from './stretched.ts';
import { getLineName, strings } from './strings.ts';

/** A recorded line with its command-line options, its config and its results. */
interface RecordedLine extends LineResults {
  readonly words: string;
  readonly encoding: EncodingConfig;
  readonly randomizedPositions: number;
  /** Set for the RoPE model that is evaluated with lower frequencies (stretched.ts). */
  readonly scaling?: Scaling;
  /** Set for the RoPE model that continues training without positions (recalibrated.ts). */
  readonly recalibration?: Recalibration;
}

interface Recording {
  /** The unit of a score: accuracy or nats. */
  readonly unit: string;
  readonly chance: number;
  readonly lengths: readonly number[];
  /** The core's error message for the first length beyond the learned table. */
  readonly refused: string;
  readonly spec: Omit<ResolvedTrainConfig, 'encoding' | 'seed'>;
  readonly lines: { readonly [name: string]: RecordedLine };
}

const recordings = recorded as unknown as { readonly [Task in Spec['task']]: Recording };

/**
 * Returns the name of a line in the recording. `learned_rows` is a learned table with more rows than the trained
 * length.
 */
const getRecordedName = (id: string, { beyond, random }: Pick<Spec, 'beyond' | 'random'>): string => {
  if (random) return `${id}_random`;
  return id === 'learned' && beyond === 'untrained' ? 'learned_rows' : id;
};

export const rejectsLongerTexts = (id: string, { beyond, random }: Pick<Spec, 'beyond' | 'random'>): boolean =>
  id === 'learned' && beyond === 'error' && !random;

const findRecordedTasks = (id: string): string[] => Object.entries(recordings).flatMap(([task, { lines }]) => (lines[id] ? [task] : []));

export function selectRecording(spec: Spec, ids: readonly string[]) {
  const { lines, spec: sharedConfig, ...recording } = recordings[spec.task];
  const chosenLines = ids.map((id) => {
    const line = lines[getRecordedName(id, spec)];
    if (!line) throw new SpecError('encodings', `encodings: ${strings.recordedOnlyFor(getLineName(id), findRecordedTasks(id))}`);
    return line;
  });
  const trainedLength = sharedConfig.sequenceLength;
  const { loss: runs = [], randomizedPositions: positionCount = 0 } = chosenLines[0] ?? {};
  // Random positions are drawn without replacement, so a text cannot be longer than their range.
  const lengths = spec.random ? recording.lengths.filter((length) => length <= positionCount) : recording.lengths;
  const trainedIndex = lengths.indexOf(trainedLength);
  // Options that apply to a single line, such as the number of table rows.
  const lineOptions = ids.flatMap((id, line) =>
    id === 'learned' ? [strings.lineWithOptions(getLineName(id), (chosenLines[line] as RecordedLine).words)] : [],
  );
  const sharedOptions = spec.random ? ` --randomized_positions ${positionCount}` : '';
  const command = `npm run train -- ${spec.task} --encoding ID --lengths ${lengths.join(',')} --seeds ${runs.length}${sharedOptions}`;
  return {
    ...recording,
    lengths,
    command: [
      command,
      ...lineOptions,
      ...(chosenLines.some(({ scaling }) => scaling) ? [strings.scalingNote(trainedLength)] : []),
      ...chosenLines.flatMap(({ recalibration }) => (recalibration ? [strings.recalibrationNote(recalibration.steps)] : [])),
    ].join('; '),
    scalings: chosenLines.map(({ scaling }) => scaling),
    recalibrations: chosenLines.map(({ recalibration }) => recalibration),
    trainedLength,
    total: sharedConfig.steps,
    recordedMeans: chosenLines.map(({ score, loss }) => computeMean((score ?? loss).map((curve) => entryAt(curve, trainedIndex)))),
    createConfig: (line: number, seed: number): ResolvedTrainConfig => {
      const { encoding, randomizedPositions } = chosenLines[line] as RecordedLine;
      return { ...sharedConfig, encoding, randomizedPositions, seed } as ResolvedTrainConfig;
    },
    selectValues(seeds: readonly number[]): MetricValues {
      const [firstSeed = 1, lastSeed = firstSeed] = [seeds[0], seeds.at(-1)];
      if (firstSeed < 1 || lastSeed > runs.length) throw new SpecError('seed', `seed: ${strings.notRecorded(firstSeed, lastSeed)}`);
      const selectCurves = (measure: keyof LineResults) =>
        chosenLines.map((line, index) =>
          seeds.map((seed) => {
            const curve = line[measure]?.[seed - 1] ?? [];
            return rejectsLongerTexts(ids[index] as string, spec) ? curve.slice(0, trainedIndex + 1) : curve;
          }),
        );
      return { loss: selectCurves('loss'), score: selectCurves('score'), last: selectCurves('last') };
    },
  };
}
