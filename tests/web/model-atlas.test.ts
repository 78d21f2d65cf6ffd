// The page of all models: it lists every family of the table once, as the real core reads it.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AtlasEntry, buildAtlas, type FamilyRow } from '../../web/book/models/atlas.ts';
import { findLongestMatch, findName } from '../../web/book/models/search-names.ts';
import { createLayerMarks, drawStrip } from '../../web/book/models/strip.ts';
import { kind } from '../../web/figure/kinds/layers/index.ts';
import { parseLink } from '../../web/lab/state/link.ts';
import { figureOf, phasor } from './kinds/sentence-means.ts';
import { runPython } from './python/run.ts';

const rows: readonly FamilyRow[] = JSON.parse(readFileSync('docs/families.json', 'utf8'));
const entries = buildAtlas(rows, phasor);
const entryOf = (name: string): AtlasEntry => entries.find(({ names }) => names.includes(name)) as AtlasEntry;
const heights = (name: string): string =>
  entryOf(name)
    .marks.map(({ visibleContext }) => visibleContext[0])
    .join('');

describe('model atlas', () => {
  it('has every model type of the table once', () => {
    const names = entries.flatMap((entry) => entry.names);
    expect([...names].sort()).toEqual(rows.flatMap((row) => row.names).sort());
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });

  it('draws the visible context and position source of each layer, and merges similar families', () => {
    expect(heights('gemma3_text')).toBe('sssssf'.repeat(4));
    expect(heights('gpt_oss')).toBe('sf'.repeat(12));
    expect(heights('qwen3_next')).toBe('lllf'.repeat(6));
    expect(heights('llama4')).toBe('cccf'.repeat(6));
    expect(
      entryOf('llama4')
        .marks.map(({ source }) => source)
        .slice(0, 4),
    ).toEqual(['rotation', 'rotation', 'rotation', 'nothing']);
    expect(entryOf('gemma3').marks.slice(4, 6)).toEqual([
      { visibleContext: 'sliding', source: 'other-rotation' },
      { visibleContext: 'full', source: 'rotation' },
    ]);
    expect(entryOf('bloom').marks[0]).toEqual({ visibleContext: 'full', source: 'bias' });
    expect(entryOf('gpt2').marks[0]).toEqual({ visibleContext: 'full', source: 'table' });
    expect(entryOf('whisper').breaks).toEqual([12]);
    expect(entryOf('llava')).toMatchObject({ id: 'llama', year: 2023, section: 'rotation' });
    expect(entryOf('cohere2').section).toBe('mixed');
  });

  it('lists as rejected only families that the core rejects', () => {
    expect(entryOf('doge')).toMatchObject({ section: 'rejected', marks: [], lab: undefined });
    const rejected = entries.filter(({ section }) => section === 'rejected').flatMap(({ names }) => names);
    for (const name of rejected) expect(() => phasor.encodingFromConfig({ model_type: name })).toThrow(name);
    expect(rejected.length).toBeLessThan(25);
  });

  it('links to the layers figure with the drawn layers', async () => {
    for (const { id, lab, marks } of entries.filter((entry) => entry.section === 'mixed')) {
      const { state, problem } = parseLink((lab as string).slice(1));
      expect(problem, id).toBeUndefined();
      expect(state.view).toBe('layers');
      const { results } = await figureOf(kind, { config: state.figures['layers.config'] as string });
      expect(createLayerMarks(results.layers), id).toEqual(marks);
    }
  });

  // `npm run test:pytorch` runs these programs and compares their results.
  it('has programs with valid calls of the PyTorch functions', () => {
    const programs = [...new Set(entries.map(({ program }) => program))].filter(Boolean);
    expect(programs.length).toBeGreaterThan(60);
    const check = readFileSync('tests/web/python/calls.py', 'utf8');
    const [result, ...wrongResults] = runPython([
      { program: `${check}\nchecked = check_programs(${JSON.stringify(programs)})`, want: ['checked'] },
      ...['rope(positions, q, k, bas=1)', 'rope2(positions, q)', 'alibi(positions, 8)\nvisible(tokens)'].map((line) => ({
        program: `${check}\ncheck_programs([${JSON.stringify(`from model_positions import alibi, rope\n\n${line}`)}])`,
        want: [],
      })),
    ]);
    expect([result?.error, Array.from(result?.arrays.checked?.data ?? [])]).toEqual([undefined, [programs.length]]);
    expect(wrongResults.map(({ error }) => error?.split(' File ')[0])).toEqual([
      'ValueError: rope has no parameter bas',
      'ValueError: rope2 is not a function of model_positions.py',
      'ValueError: the program imports alibi, rope, but calls alibi, visible',
    ]);
    expect(entryOf('gemma3_text').program).toBe(`from model_positions import rope, visible

# sliding_attention
q, k = rope(positions, q, k, layout='half_split', base=10000)
mask = visible(tokens, window=4096)
# full_attention
q, k = rope(positions, q, k, layout='half_split', base=1000000)
mask = visible(tokens)`);
    expect(entryOf('whisper').program).toContain('# decoder, full_attention\nx = x + learned(positions, table)  # table (448, dim)\n');
  });

  it('finds model types in names as users write them', () => {
    expect(findName(entryOf('gemma3').names, 'gemma3')).toBe('gemma3');
    expect(findName(['a_b_c', 'a_b'], 'ab')).toBe('a_b');
    expect(findName(['llama'], 'gemma')).toBeUndefined();
    const names = entries.flatMap((entry) => entry.names);
    expect(findLongestMatch('Gemma 3 ', names)).toBe('Gemma 3');
    expect(findLongestMatch('Llama 3.1 8B', names)).toBe('Llama');
    expect(findLongestMatch('Mistral-7B-Instruct-v0.3', names)).toBe('Mistral');
    expect(findLongestMatch('no such model', names)).toBeUndefined();
    expect(findLongestMatch(' ', names)).toBeUndefined();
  });

  it('draws one path per colour', () => {
    const svg = drawStrip(entryOf('lfm3').marks);
    expect([...svg.matchAll(/<path class="([\w-]+)"/g)].map(([, name]) => name)).toEqual(['unattended', 'rotation', 'other-rotation']);
    expect(svg).toContain('viewBox="0 0 261 30"');
    expect(drawStrip(entryOf('whisper').marks, [12])).toContain('viewBox="0 0 269 30"');
  });
});
