// Chapters and demos name controls by their labels: every quoted label must be a string of the interface.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const filesIn = (folder: string, end: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => join(folder, file));

const texts = ['web/book', 'web/standalone'].flatMap((folder) => filesIn(folder, '.md'));
const strings = ['web/book', 'web/figure', 'web/lab', 'web/service-worker']
  .flatMap((folder) => filesIn(folder, '.ts'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

/** A quoted label after a verb such as “press”, and a quoted value after “to”. */
const LABEL = /\b(?:press|switch|set|under|drag|open)\s+“([^”]+)”(?: to “([^”]+)”)?/gi;
const isString = (label: string): boolean => ["'", '`', '>'].some((quote) => strings.includes(`${quote}${label}`));

describe('quoted labels', () => {
  it.each(texts)('%s quotes only strings of the interface', (file) => {
    const labels = [...readFileSync(file, 'utf8').matchAll(LABEL)].flatMap(([, label, value]) => [label ?? '', ...(value ? [value] : [])]);
    expect(labels.filter((label) => !isString(label))).toEqual([]);
  });

  it('finds labels in chapters and demos', () => {
    const labels = texts.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(LABEL)]);
    expect(labels.length).toBeGreaterThan(10);
    expect(isString('Train them here')).toBe(false);
  });
});
