// The programs of the site's pages for developers, run one by one as they stand there.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claimsOf, runClaims } from './claims.ts';

describe.each(['recipes', 'coming-from'])('%s', (page) => {
  const parts = readFileSync(`web/book/site/${page}.md`, 'utf8').split(/^(?=## |\*\*)/m);
  const programs = parts.flatMap((part) =>
    [...part.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => [/^(?:## |\*\*)([^*\n]*)/.exec(part)?.[1] ?? '', code] as const),
  );

  it('has programs that say what they compute', () => {
    expect(programs.length).toBeGreaterThanOrEqual(7);
    expect(programs.filter(([, code]) => claimsOf(code) === 0)).toEqual([]);
  });

  it.each(programs)('%s', (_, code) => runClaims(code));
});

it('has the recipes that are promised', () => {
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
