// The doctor's verdicts on stored dumps.
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../web/engine/doctor.node.ts';
import { goldenCases, requestOf } from './golden-cases.ts';

const NAMES: { readonly [name: string]: string } = { rotary_width: 'rotary_dim' };

describe('golden cases', () => {
  it('has all 68 cases', () => expect(goldenCases.length).toBe(68));

  it.each(goldenCases.map((goldenCase) => [goldenCase.name, goldenCase] as const))('%s', async (_, goldenCase) => {
    const report = await diagnose(requestOf(goldenCase));
    const { verdict, accept = [], reason, params = {}, first = {}, first_exact: isExact, also = [] } = goldenCase.expected;
    expect(report.sentence).not.toContain('?');
    if (accept.includes(report.verdict)) return;
    expect({ verdict: report.verdict, reason: report.reason }, report.sentence).toEqual({ verdict, reason });
    for (const [name, value] of Object.entries(params)) expectSame(report.params[NAMES[name] ?? name], value, name);
    for (const [name, index] of Object.entries(first)) {
      const actual = report.first?.[name as 'token'];
      if (isExact || name !== 'token') expect(actual, name).toBe(index);
      else expect(Math.abs((actual ?? Number.NaN) - index), name).toBeLessThanOrEqual(1);
    }
    for (const { id, ...values } of also) {
      const further = report.also.find((finding) => finding.id === id);
      for (const [name, value] of Object.entries(values)) expectSame(further?.params[name], value, name);
    }
  });
});

it('rejects a misspelt field by name, and a request without a dump', async () => {
  const request = { positionIds: [0, 1, 2], masks: [1, 1, 1] };
  await expect(diagnose(request as never)).rejects.toThrow(
    'masks: this dump has no such field; expected one of positionIds, mask, segments, past, start, spec',
  );
  await expect(diagnose({} as never)).rejects.toThrow('request: contains no dump');
});

/** Checks that numbers agree within 0.5% and that other values are equal. */
function expectSame(actual: unknown, expected: unknown, name: string) {
  if (Array.isArray(expected)) {
    expect((actual as unknown[]).length, name).toBe(expected.length);
    expected.forEach((value, index) => {
      expectSame((actual as unknown[])[index], value, name);
    });
  } else if (typeof expected === 'number')
    expect(Math.abs((actual as number) - expected), name).toBeLessThanOrEqual(0.005 * Math.abs(expected));
  else expect(actual, name).toBe(expected);
}
