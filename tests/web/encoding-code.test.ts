// The programs of web/encodings/code say what the core computes: each is run by Python, and compared with the engine's numbers.
import { describe, expect, it } from 'vitest';
import { encodingCode } from '../../web/figure/export/encoding-code.ts';
import { type Case, casesOf, difference, phasor, TOLERANCE } from './encoding-code-cases.ts';
import { type Result, runPython } from './python/run.ts';

const cases = new Map(phasor.encodings.map((info) => [info.id, casesOf(info)]));
const all = [...cases.values()].flat();

describe.each(['numpy', 'pytorch'] as const)('%s', (language) => {
  // One process for all programs. PyTorch is not installed for a test: its texts run on a stand-in with the functions that they use.
  const results = new Map(
    runPython(
      all.map(({ job }) => job(language)),
      language === 'pytorch',
    ).map((result, index) => [all[index] as Case, result]),
  );

  it.each(phasor.encodings.map(({ id }) => id))('%s', (id) => {
    const wrong = (cases.get(id) ?? []).flatMap((one) => {
      const why = difference(results.get(one) as Result, one.expected, TOLERANCE[language]);
      return why === undefined ? [] : [`${one.name}: ${why}`];
    });
    expect(cases.get(id)?.length).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});

/** What is changed in a formula: a sign, an operation or a function, one at a time. */
const CHANGES: readonly (readonly [found: RegExp, instead: string])[] = [
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' + '],
  [/ \/ /g, ' * '],
  [/ <= /g, ' < '],
  [/ < /g, ' > '],
  [/>>/g, '<<'],
  [/(?<=[([,=] ?)-(?=[\w(])/g, ''],
  [/np\.sin/g, 'np.cos'],
  [/\[:, None\]/g, '[:, None] + 1'],
];

/** A program with each change in the functions of an encoding; comments and docstrings stay. */
function changed(program: string, functions: readonly string[]): string[] {
  const lines = program.split('\n');
  let name: string | undefined;
  return lines.flatMap((line, at) => {
    if (/^\S/.test(line)) name = /^def (\w+)/.exec(line)?.[1];
    if (name === undefined || !functions.includes(name) || /"""|^\s*#/.test(line)) return [];
    return CHANGES.flatMap(([found, instead]) =>
      [...line.matchAll(found)].map(({ index, 0: { length } }) =>
        lines.with(at, line.slice(0, index) + instead + line.slice(index + length)).join('\n'),
      ),
    );
  });
}

it('notices a changed formula', () => {
  const programs = phasor.encodings.flatMap(({ id }) => {
    const [first] = cases.get(id) as [Case];
    const job = first.job('numpy');
    const { functions } = encodingCode({ id }, phasor.encodings);
    return changed(job.program, functions).map((program) => ({ id, first, job: { ...job, program } }));
  });
  const results = runPython(programs.map(({ job }) => job));
  // Other numbers, not an error: a change may be one that no program can run, or one of what a case does not use.
  const noticed = programs.filter(({ first }, index) => {
    const result = results[index] as Result;
    return result.error === undefined && difference(result, first.expected, TOLERANCE.numpy) !== undefined;
  });
  const ids = phasor.encodings.map(({ id }) => id);
  expect(ids.filter((id) => !noticed.some((one) => one.id === id))).toEqual(['none']);
});
