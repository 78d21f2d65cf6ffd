// The numbers of the figure: the report of the doctor on a dump of the reader, or on one that is made up.

import type { Report, ResidualMap } from '../../../engine/doctor/report.ts';
import type { DiagnoseRequest } from '../../../engine/doctor/requests.ts';
import { PhasorError } from '../../../engine/errors.ts';
import type { Tensor } from '../../../engine/index.ts';
import { configOf } from '../../compute/rope-config.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { KindContext } from '../../contract/kind.ts';
import { usedEncoding } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import { type ExampleFault, exampleDump } from './example.ts';
import { strings } from './strings.ts';

export interface DoctorSpec {
  readonly fault: ExampleFault;
  readonly encoding: EncodingSpec;
  /** Before the rotation, or of the reference. */
  readonly input: Tensor | undefined;
  /** After the rotation, or of the port. */
  readonly output: Tensor | undefined;
  readonly compare: boolean;
  readonly config: string;
  readonly layer: number;
  readonly axes: 'auto' | 'tokens,heads,dim' | 'heads,tokens,dim';
  readonly heads: number;
}

export interface DoctorNumbers {
  readonly report: Report;
  readonly map: ResidualMap;
  readonly isExample: boolean;
  /** Whether the dump is of two implementations. */
  readonly isComparison: boolean;
  /** Of the examined tokens and heads: [heads, tokens, dim] each. */
  readonly sample: { readonly before: Tensor; readonly after: Tensor };
}

/** The fields of the figure, by the arguments of `diagnose`. */
const FIELDS: { readonly [argument: string]: string } = {
  ...{ layerIdx: 'layer', claim: 'encoding', reference: 'input', ours: 'output' },
  ...{ axes: 'axes', heads: 'heads', config: 'config', before: 'input', after: 'output' },
};

type Dump = Pick<DoctorNumbers, 'isExample'> & { readonly before: Tensor; readonly after: Tensor; readonly positions?: readonly number[] };

async function dumpOf(spec: DoctorSpec, encoding: EncodingSpec, { engine }: KindContext): Promise<Dump> {
  const { input: before, output: after, fault } = spec;
  if (!before && !after) return { ...(await exampleDump(fault, encoding, engine)), isExample: true };
  if (!before) throw new SpecError('input', strings.missing(spec.compare ? 'reference' : 'before'));
  if (!after) throw new SpecError('output', strings.missing(spec.compare ? 'ours' : 'after'));
  return { before, after, isExample: false };
}

function requestOf(spec: DoctorSpec, encoding: EncodingSpec, { before, after, positions, isExample }: Dump): DiagnoseRequest {
  const config = configOf(spec.config, strings);
  const claim = config && !isExample ? { config, layerIdx: spec.layer } : { claim: encoding };
  const axes = isExample ? 'heads,tokens,dim' : spec.axes === 'auto' ? undefined : spec.axes;
  const options = { ...claim, axes, heads: spec.heads || undefined, positions } as const;
  return (spec.compare && !isExample ? { reference: before, ours: after, ...options } : { before, after, ...options }) as DiagnoseRequest;
}

async function reportOf(request: DiagnoseRequest, { diagnose, signal }: KindContext): Promise<Report> {
  if (!diagnose) throw new Error(strings.noDoctor);
  try {
    return await diagnose(request, signal);
  } catch (thrown) {
    const { code, message, argument = '' } = PhasorError.from(thrown);
    if (code !== 'invalid_argument' && code !== 'unknown_name') throw thrown;
    throw new SpecError(FIELDS[argument] ?? 'input', message);
  }
}

/** The examined tokens and heads of an array. `heads`: of a flat one, [tokens, heads x dim]. */
function sampled({ shape, data }: Tensor, { tokens, heads }: ResidualMap, isTokensFirst: boolean, count: number): Tensor {
  const [first = 1, second = 1, dim = 0] = shape.length === 2 ? [shape[0], count, (shape[1] as number) / count] : shape.slice(-3);
  const out = new Float32Array(heads.length * tokens.length * dim);
  heads.forEach((head, at) => {
    tokens.forEach((token, row) => {
      const from = (isTokensFirst ? token * second + head : head * second + token) * dim;
      // Of a batch the doctor has examined its only text, which is the first.
      if (from + dim <= first * second * dim) out.set(data.subarray(from, from + dim), (at * tokens.length + row) * dim);
    });
  });
  return { shape: [heads.length, tokens.length, dim], data: out };
}

export async function doctorNumbers(spec: DoctorSpec, means: KindContext): Promise<DoctorNumbers> {
  const encoding = usedEncoding(spec.encoding, means.engine.encodings);
  const dump = await dumpOf(spec, encoding, means);
  const report = await reportOf(requestOf(spec, encoding, dump), means);
  const { map } = report;
  if (!map) throw new SpecError('output', report.sentence);
  // The last token and the last head are examined, which tells the order of axes where it follows from the config.
  const [first = 1, second = 1] = dump.before.shape.slice(-3);
  const isFound = first === Math.max(...map.tokens) + 1 && second === Math.max(...map.heads) + 1;
  const order = dump.isExample ? 'heads,tokens,dim' : spec.axes;
  const isTokensFirst = dump.before.shape.length === 2 || order === 'tokens,heads,dim' || (order === 'auto' && isFound);
  const sample = {
    before: sampled(dump.before, map, isTokensFirst, spec.heads),
    after: sampled(dump.after, map, isTokensFirst, spec.heads),
  };
  return { report, map, isExample: dump.isExample, isComparison: spec.compare && !dump.isExample, sample };
}
