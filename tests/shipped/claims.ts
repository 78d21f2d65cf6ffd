// Runs programs of the documentation, unchanged, on the built package. `value; // [1, 2]` is a claim, which is compared to six digits.
import { expect } from 'vitest';

const entries: Record<string, object> = {
  phasor: await import('../../dist/npm/node.js' as string),
  'phasor/analysis': await import('../../dist/npm/analysis.js' as string),
  'phasor/doctor': await import('../../dist/npm/doctor.node.js' as string),
  'phasor/worker': await import('../../dist/npm/workers.node.js' as string),
  'phasor/inline': await import('../../dist/npm/inline.node.js' as string),
  'phasor/train': await import('../../dist/npm/train.node.js' as string),
  'phasor/model': await import('../../dist/npm/model.node.js' as string),
  'phasor/render': await import('../../dist/npm/render.js' as string),
};

const CLAIM = /^(?!const |import )(.*); \/\/ (\[.*\]|'.*'|-?[\d.]+(?:e-?\d+)?|true|false)$/gm;

function claimOne(actual: unknown, message: unknown): void {
  if (typeof message !== 'number') expect(actual).toEqual(message);
  else if (Number.isInteger(message)) expect(actual).toBeCloseTo(message, 6);
  else expect(Number((actual as number).toPrecision(6))).toBe(message);
}

function claim(actual: unknown, text: unknown): void {
  const [values, expected] = Array.isArray(text) ? [[...(actual as Iterable<unknown>)], text] : [[actual], [text]];
  expect(values).toHaveLength(expected.length);
  values.forEach((value, index) => {
    claimOne(value, expected[index]);
  });
}

export const claimsOf = (code: string): number => [...code.matchAll(CLAIM)].length;

/** Runs a program with `provided` in scope, and checks its claims. */
export async function runClaims(code: string, variables: object = {}): Promise<void> {
  const body = code
    .replaceAll(CLAIM, '{ claim($1, $2); }')
    .replaceAll(/^import (\{.*\}) from ('[\w/]+');$/gm, 'const $1 = entries[$2];')
    .replaceAll(/await import\(('[\w/]+')\)/g, 'entries[$1]');
  const names = Object.keys(variables);
  await new Function('entries', 'claim', ...names, `return (async () => {\n${body}\n})();`)(entries, claim, ...Object.values(variables));
}

export const entry = <T>(name: string): T => entries[name] as T;
