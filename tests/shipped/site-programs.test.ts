// Runs the programs of the developer pages one by one.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claimsOf, runClaims } from './claims.ts';

describe.each(['recipes', 'coming-from'])('%s', (page) => {
  const parts = readFileSync(`web/book/site/${page}.md`, 'utf8').split(/^(?=## |\*\*)/m);
  const programs = parts.flatMap((part) =>
    [...part.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => [/^(?:## |\*\*)([^*\n]*)/.exec(part)?.[1] ?? '', code] as const),
  );

  it('states the result of every program', () => {
    expect(programs.length).toBeGreaterThanOrEqual(7);
    expect(programs.filter(([, code]) => claimsOf(code) === 0)).toEqual([]);
  });

  it.each(programs)('%s', (_, code) => runClaims(code));
});

it('lists the expected recipes', () => {
  const headings = [...readFileSync('web/book/site/recipes.md', 'utf8').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    'Encode',
    'Rotate',
    'Attend',
    'Decode with a cache',
    'Gradients',
    'Read a model’s config',
    'Train a small model',
    'Draw a figure',
  ]);
});
