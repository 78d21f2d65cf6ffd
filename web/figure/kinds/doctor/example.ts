// Generated dumps: one for each fault that the doctor names.
import type { DiagnoseRequest } from '../../../engine/doctor/requests.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';
import { ROTATIONS, type RotationExample, rotationDump } from './example-rotations.ts';
import { SCORES, scoreDump } from './example-scores.ts';
import { POSITION_IDS, TABLES } from './example-tables.ts';

const ofRotations = Object.keys(ROTATIONS) as (keyof typeof ROTATIONS)[];
const ofTables = Object.keys(TABLES) as (keyof typeof TABLES)[];
const ofIds = Object.keys(POSITION_IDS) as (keyof typeof POSITION_IDS)[];
const ofScores = Object.keys(SCORES) as (keyof typeof SCORES)[];

export type ExampleFault = (typeof ofRotations | typeof ofTables | typeof ofIds | typeof ofScores)[number];

const others = [...ofRotations, ...ofTables, ...ofIds, ...ofScores].filter((fault) => fault !== 'wrong_pairing' && fault !== 'none');
/** The faults, and `none`. */
export const FAULTS = ['wrong_pairing', ...others, 'none'] as const satisfies readonly [ExampleFault, ...ExampleFault[]];

const isOf = <Name extends string>(names: readonly Name[], fault: string): fault is Name => names.includes(fault as Name);

/** The dump of a port with this fault, which should rotate by `encoding`; faults of scores and images have their own claims. */
export async function exampleDump(fault: ExampleFault, encoding: EncodingSpec, engine: Engine): Promise<DiagnoseRequest> {
  if (isOf(ofTables, fault)) return TABLES[fault](encoding, engine);
  if (isOf(ofIds, fault)) return POSITION_IDS[fault];
  if (isOf(ofScores, fault)) return scoreDump(SCORES[fault], engine);
  return rotationDump(ROTATIONS[fault](encoding) as RotationExample, engine);
}
