// Diagnoses arrays dumped from the user's model, or a generated example.

import type { Report, ResidualMap } from '../../../engine/doctor/report.ts';
import type { DiagnoseRequest } from '../../../engine/doctor/requests.ts';
import { PhasorError } from '../../../engine/errors.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { TensorData } from '../../../engine/types/tensors.ts';
import { parseConfig } from '../../compute/rope-config.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { KindContext } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import { createExampleDump, type ExampleFault } from './example.ts';
import { hasPicture } from './scene.ts';
import { strings } from './strings.ts';

export const DUMP_KINDS = ['rotation', 'comparison', 'scores', 'weights', 'cos_sin', 'cos_sin_cache', 'inv_freq', 'position_ids'] as const;
export type DumpKind = (typeof DUMP_KINDS)[number];

export interface DoctorSpec {
  readonly fault: ExampleFault;
  readonly encoding: EncodingSpec;
  /**
   * The first dumped array: vectors before the rotation, the output of the reference implementation, products q·k,
   * or cosines.
   */
  readonly input: Tensor | undefined;
  /** The second dumped array, or the only one. */
  readonly output: Tensor | undefined;
  readonly dump: DumpKind;
  readonly config: string;
  readonly layer: number;
  readonly axes: 'auto' | 'tokens,heads,dim' | 'heads,tokens,dim';
  readonly heads: number;
}

export interface DoctorResults {
  readonly report: Report;
  readonly isExample: boolean;
  readonly isComparison: boolean;
  /** The vectors of the examined tokens and heads: [heads, tokens, dim]. */
  readonly sample?: { readonly before: Tensor; readonly after: Tensor };
}

/**
 * The arguments of `diagnose` for the two dumped arrays, by the value of the field `dump`. The first is undefined if
 * there is only one array.
 */
const DUMP_ARGUMENTS: { readonly [Name in DumpKind]: readonly [string | undefined, string] } = {
  rotation: ['before', 'after'],
  comparison: ['reference', 'ours'],
  scores: ['products', 'scores'],
  weights: ['products', 'weights'],
  cos_sin: ['cos', 'sin'],
  cos_sin_cache: [undefined, 'cosSinCache'],
  inv_freq: [undefined, 'invFreq'],
  position_ids: [undefined, 'positionIds'],
};

const findArgumentField = (argument: string): string => {
  if (argument === 'layerIdx') return 'layer';
  if (argument === 'claim' || argument === 'dim') return 'config';
  if (/^(axes|heads|config)$/.test(argument)) return argument;
  return Object.values(DUMP_ARGUMENTS).some(([inputArgument]) => inputArgument === argument) ? 'input' : 'output';
};

/** Converts position ids of shape [tokens] or [3, tokens] to arrays. Batch axes of size 1 are dropped. */
function parsePositionIds({ shape, data }: Tensor): number[] | number[][] {
  const tokenCount = shape.at(-1) ?? 0;
  if (data.length === tokenCount) return Array.from(data);
  if (data.length !== 3 * tokenCount) throw new SpecError('output', strings.positionIdsShape(shape));
  return Array.from({ length: 3 }, (_, axis) => Array.from(data.subarray(axis * tokenCount, (axis + 1) * tokenCount)));
}

function createRequest(spec: DoctorSpec, encoding: EncodingSpec): DiagnoseRequest {
  const { dump, input, output } = spec;
  const [firstArgument, secondArgument] = DUMP_ARGUMENTS[dump];
  if (firstArgument !== undefined && !input) throw new SpecError('input', strings.missingArray(firstArgument));
  if (!output) throw new SpecError('output', strings.missingArray(secondArgument));
  if (dump === 'position_ids') return { positionIds: parsePositionIds(output) };
  const config = parseConfig(spec.config, strings);
  const hasScores = dump === 'scores' || dump === 'weights';
  if (hasScores && !config) throw new SpecError('config', strings.needsConfig);
  const claim = config ? { config, layerIdx: spec.layer } : { claim: encoding };
  const hasVectors = dump === 'rotation' || dump === 'comparison';
  const options = hasVectors ? { axes: spec.axes === 'auto' ? undefined : spec.axes, heads: spec.heads || undefined } : {};
  return {
    ...(firstArgument === undefined ? {} : { [firstArgument]: input }),
    [secondArgument]: output,
    ...claim,
    ...options,
  } as unknown as DiagnoseRequest;
}

async function diagnoseDump(request: DiagnoseRequest, { diagnose, signal }: KindContext): Promise<Report> {
  if (!diagnose) throw new Error(strings.noDoctor);
  try {
    return await diagnose(request, signal);
  } catch (thrown) {
    const { code, message, argument = '' } = PhasorError.from(thrown);
    if (code !== 'invalid_argument' && code !== 'unknown_name') throw thrown;
    throw new SpecError(findArgumentField(argument), message);
  }
}

/** @param headCount the number of heads, used only if the shape is [tokens, heads * dim] */
function selectSample({ shape, data }: Tensor, { tokens, heads }: ResidualMap, isTokensFirst: boolean, headCount: number): Tensor {
  const [firstSize = 1, secondSize = 1, dim = 0] =
    shape.length === 2 ? [shape[0], headCount, (shape[1] as number) / headCount] : shape.slice(-3);
  const sampleData = new Float32Array(heads.length * tokens.length * dim);
  heads.forEach((head, headIndex) => {
    tokens.forEach((token, tokenIndex) => {
      const sourceStart = (isTokensFirst ? token * secondSize + head : head * secondSize + token) * dim;
      // Copies only from the first sequence of a batch.
      if (sourceStart + dim <= firstSize * secondSize * dim)
        sampleData.set(data.subarray(sourceStart, sourceStart + dim), (headIndex * tokens.length + tokenIndex) * dim);
    });
  });
  return { shape: [heads.length, tokens.length, dim], data: sampleData };
}

function createSample(
  request: DiagnoseRequest,
  map: ResidualMap,
  { axes, heads }: DoctorSpec,
  isExample: boolean,
): DoctorResults['sample'] {
  const [before, after] =
    'before' in request ? [request.before, request.after] : 'reference' in request ? [request.reference, request.ours] : [];
  if (!before || !after) return undefined;
  // For 'auto', infers the order from the sizes. `map` always includes the last token and the last head.
  const [firstSize = 1, secondSize = 1] = before.shape.slice(-3);
  const isTokensFirstShape = firstSize === Math.max(...map.tokens) + 1 && secondSize === Math.max(...map.heads) + 1;
  const order = isExample ? 'heads,tokens,dim' : axes;
  const isTokensFirst = before.shape.length === 2 || order === 'tokens,heads,dim' || (order === 'auto' && isTokensFirstShape);
  const selectTensor = (tensor: TensorData) => selectSample(tensor as Tensor, map, isTokensFirst, heads);
  return { before: selectTensor(before), after: selectTensor(after) };
}

export async function computeDiagnosis(spec: DoctorSpec, context: KindContext): Promise<DoctorResults> {
  const encoding = withUsedParams(spec.encoding, context.engine.encodings);
  const isExample = !spec.input && !spec.output;
  const request = isExample ? await createExampleDump(spec.fault, encoding, context.engine) : createRequest(spec, encoding);
  const report = await diagnoseDump(request, context);
  if (!hasPicture(report)) throw new SpecError('output', report.sentence);
  const sample = report.map && createSample(request, report.map, spec, isExample);
  return { report, isExample, isComparison: 'reference' in request, ...(sample ? { sample } : {}) };
}
