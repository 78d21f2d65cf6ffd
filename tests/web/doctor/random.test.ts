// The doctor on random dumps, which differ in each run: the seed is in the title of a failing test, and DOCTOR_SEED repeats it. DOCTOR_DUMPS is the
// number of correct and of faulty dumps; foreign dumps are a third as many.
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../web/engine/doctor/report.ts';
import type { RotationDump } from '../../../web/engine/doctor/requests.ts';
import { diagnose } from '../../../web/engine/doctor.node.ts';
import { createPhasor } from '../../../web/engine/node.ts';
import type { EncodingConfig } from '../../../web/engine/types/api.ts';
import { generator, type RandomDump, randomDump } from './random-dumps.ts';

const seed = Number(process.env.DOCTOR_SEED ?? Date.now() % 1e6);
const count = Number(process.env.DOCTOR_DUMPS ?? 6);

async function examined(kind: 'correct' | 'faulty' | 'foreign', dumps: number) {
  const random = generator(seed + kind.length);
  const all: { dump: RandomDump; report: Report }[] = [];
  for (let index = 0; index < dumps; index++) {
    const dump = randomDump(kind, random);
    all.push({ dump, report: await diagnose(dump.request) });
  }
  return all;
}

const shown = ({ dump, report }: { dump: RandomDump; report: Report }) =>
  `${dump.about} -> ${report.verdict} ${report.reason ?? ''} ${report.sentence}`;
const agrees = (found: unknown, expected: number | string) =>
  typeof expected === 'number' ? Math.abs((found as number) / expected - 1) <= 0.005 : found === expected;

/** Whether a report has the fault as its verdict, as a further finding or as an equivalent. */
function isNamed({ dump: { fault, params }, report }: { dump: RandomDump; report: Report }): boolean {
  const findings = [
    { id: report.verdict, params: report.params },
    ...report.also,
    ...report.equivalents.flatMap(({ findings }) => findings),
  ];
  return findings.some(
    ({ id, params: found }) => id === fault && Object.entries(params).every(([name, value]) => agrees(found[name], value)),
  );
}

const phasor = await createPhasor({ variant: 'simd' });

/** |after - rotated| / |after|, where `rotated` is `before` rotated by the encoding of a report. */
function residualOf({ request }: RandomDump, encoding: EncodingConfig): number {
  const { before, after, positions } = request as Required<RotationDump>;
  const [tokens, heads, dim] = before.shape as [number, number, number];
  const view = { shape: [heads, tokens, dim], strides: [dim, heads * dim, 1], data: before.data };
  const turned = phasor.applyRotary(view, { encoding, positions: positions as number[] }).data;
  let [squares, lengths] = [0, 0];
  for (let at = 0; at < turned.length; at++) {
    const [head, token] = [Math.floor(at / (tokens * dim)), Math.floor(at / dim) % tokens];
    const y = after.data[(token * heads + head) * dim + (at % dim)] as number;
    squares += (y - (turned[at] as number)) ** 2;
    lengths += y * y;
  }
  return Math.sqrt(squares / lengths);
}

/** Reports whose encoding does not reproduce the dump within their rounding. Faults of positions are not part of the encoding. */
const notReproduced = (all: readonly { dump: RandomDump; report: Report }[]) =>
  all.filter(({ dump, report: { encoding, rounding, verdict, also } }) => {
    const isMoved = [verdict, ...also.map(({ id }) => id)].some((id) => /^(position|padding|cache)/.test(id));
    return encoding && rounding !== undefined && !isMoved && residualOf(dump, encoding) > rounding;
  });

describe(`random dumps, DOCTOR_SEED=${seed}`, () => {
  it('reports no fault in a correct dump', async () => {
    const all = await examined('correct', count);
    expect(all.filter(({ report }) => !/^(as_claimed|cannot_tell)$/.test(report.verdict)).map(shown)).toEqual([]);
    expect(notReproduced(all).map(shown)).toEqual([]);
  });

  it('does not explain a foreign dump', async () => {
    const explained = (await examined('foreign', Math.ceil(count / 3))).filter(({ report }) => report.verdict !== 'not_explained');
    expect(explained.map(shown)).toEqual([]);
  });

  it('identifies 97 of 100 faults', async () => {
    const all = await examined('faulty', count);
    const missed = all.filter((item) => !isNamed(item));
    // One fault may be missed in a small number of dumps.
    expect(missed.length, missed.map(shown).join('\n')).toBeLessThanOrEqual(Math.max(1, Math.floor(0.03 * all.length)));
    expect(notReproduced(all).map(shown)).toEqual([]);
    // A missed fault is not reported as claimed.
    expect(all.filter(({ report }) => report.verdict === 'as_claimed').map(shown)).toEqual([]);
  });
});
