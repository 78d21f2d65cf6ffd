// Programs of the documentation, run on the package as they stand there. `value; // [1, 2]` is a claim, true to the digits that are printed.
import { expect } from 'vitest';

const entries: Record<string, object> = {
  phasor: await import('../../dist/npm/node.js' as string),
  'phasor/analysis': await import('../../dist/npm/analysis.js' as string),
  'phasor/worker': await import('../../dist/npm/workers.node.js' as string),
  'phasor/inline': await import('../../dist/npm/inline.node.js' as string),
  'phasor/train': await import('../../dist/npm/train.node.js' as string),
  'phasor/render': await import('../../dist/npm/render.js' as string),
};

const CLAIM = /^(?!const |import )(.*); \/\/ (\[.*\]|'.*'|-?[\d.]+(?:e-?\d+)?|true|false)$/gm;

function claimOne(got: unknown, said: unknown): void {
  if (typeof said !== 'number') expect(got).toEqual(said);
  else if (Number.isInteger(said)) expect(got).toBeCloseTo(said, 6);
  else expect(Number((got as number).toPrecision(6))).toBe(said);
}

function claim(got: unknown, said: unknown): void {
  const [values, expected] = Array.isArray(said) ? [[...(got as Iterable<unknown>)], said] : [[got], [said]];
  expect(values).toHaveLength(expected.length);
  values.forEach((value, at) => {
    claimOne(value, expected[at]);
  });
}

/** How many claims a program makes. */
export const claimsOf = (code: string): number => [...code.matchAll(CLAIM)].length;

/** Runs a program, with `given` in scope, and checks what it claims. */
export async function runClaims(code: string, given: object = {}): Promise<void> {
  const body = code
    .replaceAll(CLAIM, '{ claim($1, $2); }')
    .replaceAll(/^import (\{.*\}) from ('[\w/]+');$/gm, 'const $1 = entries[$2];')
    .replaceAll(/await import\(('[\w/]+')\)/g, 'entries[$1]');
  const names = Object.keys(given);
  await new Function('entries', 'claim', ...names, `return (async () => {\n${body}\n})();`)(entries, claim, ...Object.values(given));
}

export const entry = <T>(name: string): T => entries[name] as T;
