// Documentation on hover: the declarations of the package, and their examples, which run here on the package itself.
import { afterAll, describe, expect, it } from 'vitest';
import { declarations, exampleOf, hovers } from './declarations.ts';

const all = declarations();
const callable = all.filter(({ isCallable }) => isCallable);

it('describes every public declaration and every member', () => {
  expect(all.length).toBeGreaterThan(250);
  expect(callable.length).toBeGreaterThan(45);
  expect(all.filter(({ text }) => text.length < 8).map(({ name }) => name)).toEqual([]);
});

it('gives every function and method one example, and says what it throws', () => {
  expect(callable.filter((one) => exampleOf(one) === '').map(({ name }) => name)).toEqual([]);
  const silent = callable.filter(
    ({ tags, text }) => !/^@throws \{(Phasor)?Error\} ./.test(tags.get('throws') ?? '') && !/Throws nothing/.test(text),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

it('shows the same about the methods of an engine in a worker', () => {
  const remote = hovers('RemotePhasor');
  for (const [name, text] of hovers('Phasor')) {
    expect(remote.get(name)?.length, name).toBeGreaterThan(8);
    if (!/^(attention|decode|layer|reorder)$/.test(name)) expect(remote.get(name), name).toBe(text);
  }
});

describe('examples', async () => {
  const entries: Record<string, object> = {
    phasor: await import('../../dist/npm/node.js' as string),
    'phasor/worker': await import('../../dist/npm/workers.node.js' as string),
    'phasor/inline': await import('../../dist/npm/inline.node.js' as string),
    'phasor/render': await import('../../dist/npm/render.js' as string),
  };
  const { createPhasor } = entries.phasor as { createPhasor: () => Promise<object> };
  const { createPhasorWorker } = entries['phasor/worker'] as { createPhasorWorker: () => Promise<{ dispose(): void }> };
  const phasor = await createPhasor();
  const remote = await createPhasorWorker();
  afterAll(() => remote.dispose());

  /** `value; // [1, 2]` is a claim, to the digits that are printed. */
  const CLAIM = /^(?!const |import )(.*); \/\/ (\[.*\]|'.*'|-?[\d.]+(?:e-?\d+)?|true|false)$/gm;
  const one = (got: unknown, said: unknown): void => {
    if (typeof said !== 'number') expect(got).toEqual(said);
    else if (Number.isInteger(said)) expect(got).toBeCloseTo(said, 6);
    else expect(Number((got as number).toPrecision(6))).toBe(said);
  };
  const claim = (got: unknown, said: unknown): void => {
    const [values, expected] = Array.isArray(said) ? [[...(got as Iterable<unknown>)], said] : [[got], [said]];
    expect(values).toHaveLength(expected.length);
    values.forEach((value, at) => {
      one(value, expected[at]);
    });
  };

  // Those of <phasor-figure> run in tests/browser/figure.spec.ts, those of phasor/anywidget in anywidget.spec.ts.
  const runnable = callable.filter(({ name }) => !/^(PhasorFigureElement|Widget|AnyWidget|default|render)\b/.test(name));
  it.each(runnable.map((one) => [one.name, exampleOf(one)] as const))('%s', async (_, example) => {
    const code = example.replaceAll(CLAIM, '{ claim($1, $2); }').replaceAll(/await import\('([\w/]+)'\)/g, "entries['$1']");
    expect(code.includes('claim(') || /=>|dispose/.test(code)).toBe(true);
    const body = new Function('phasor', 'remote', 'entries', 'claim', `return (async () => {\n${code}\n})();`);
    await body(phasor, remote, entries, claim);
  });
});
