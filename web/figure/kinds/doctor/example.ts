import type { DiagnoseRequest } from '../../../engine/doctor/requests.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';
import { createRotationDump, ROTATIONS, type RotationExample } from './example-rotations.ts';
import { createScoreDump, SCORES } from './example-scores.ts';
import { POSITION_IDS, TABLES } from './example-tables.ts';

const rotationFaults = Object.keys(ROTATIONS) as (keyof typeof ROTATIONS)[];
const tableFaults = Object.keys(TABLES) as (keyof typeof TABLES)[];
const idFaults = Object.keys(POSITION_IDS) as (keyof typeof POSITION_IDS)[];
const scoreFaults = Object.keys(SCORES) as (keyof typeof SCORES)[];

export type ExampleFault = (typeof rotationFaults | typeof tableFaults | typeof idFaults | typeof scoreFaults)[number];

const otherFaults = [...rotationFaults, ...tableFaults, ...idFaults, ...scoreFaults].filter(
  (fault) => fault !== 'wrong_pairing' && fault !== 'none',
);
export const FAULTS = ['wrong_pairing', ...otherFaults, 'none'] as const satisfies readonly [ExampleFault, ...ExampleFault[]];

const isOneOf = <Name extends string>(names: readonly Name[], fault: string): fault is Name => names.includes(fault as Name);

/** Creates an example with this fault. The claimed encoding is based on `encoding`, except for scores, position ids and images. */
export async function createExampleDump(fault: ExampleFault, encoding: EncodingSpec, engine: Engine): Promise<DiagnoseRequest> {
  if (isOneOf(tableFaults, fault)) return TABLES[fault](encoding, engine);
  if (isOneOf(idFaults, fault)) return POSITION_IDS[fault];
  if (isOneOf(scoreFaults, fault)) return createScoreDump(SCORES[fault], engine);
  return createRotationDump(ROTATIONS[fault](encoding) as RotationExample, engine);
}
