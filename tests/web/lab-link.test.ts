// The state of the page in a URL: only differences from the initial state, and robust against invalid links.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kind as rotation } from '../../web/figure/kinds/rotation/index.ts';
import { listNotes } from '../../web/lab/page/figure-notes.ts';
import { QUESTIONS } from '../../web/lab/questions/questions.ts';
import { TOUR } from '../../web/lab/questions/tour.ts';
import { parseLecture, printLecture } from '../../web/lab/state/lecture-link.ts';
import { parseLink, printLink } from '../../web/lab/state/link.ts';
import { LINK_FIELDS } from '../../web/lab/state/link-fields.ts';
import { INITIAL_STATE, type LabState } from '../../web/lab/state/state.ts';

describe('parseLink and printLink', () => {
  it('prints the initial state as an empty link', () => {
    expect(printLink(INITIAL_STATE)).toBe('');
    expect(parseLink('')).toEqual({ state: INITIAL_STATE });
    expect(Object.fromEntries(Object.entries(LINK_FIELDS).map(([key, { initial }]) => [key, initial]))).toEqual(INITIAL_STATE);
  });

  it('reads version 1 with the default sentence and head of that version', () => {
    expect(parseLink('#v=1&encoding=rope&order=3.0.1.2')).toEqual({
      state: { ...INITIAL_STATE, text: 'Rohan killed the lion', heads: 4, head: 1, encoding: 'rope', order: [3, 0, 1, 2] },
    });
    expect(parseLink('#v=2').state).toMatchObject({ text: 'to be or not to be', heads: 8, head: 0 });
  });

  it('reads the field names of earlier versions', () => {
    const old =
      'v=2&offset=5&width=32&encoding=rope&params=rotary_width:8&question=learn&view=length&figures=length.measure:loss,long.passage:a b,unseen.shows:loss,table.offset:3';
    const { state, problem } = parseLink(`#${old}`);
    expect(problem).toBeUndefined();
    expect(state).toMatchObject({ positionOffset: 5, dim: 32, params: { rotary_dim: 8 }, view: 'extrapolation' });
    expect(state.figures).toEqual({
      'extrapolation.metric': 'loss',
      'attention-map.passage': 'a b',
      'unseen.show': 'loss',
      'table.positionOffset': '3',
    });
    expect(parseLink('#v=3&offset=5').problem).toBe('In this link “offset” is not known to this page; it is ignored.');
  });

  it('prints the version and only fields that differ', () => {
    expect(printLink({ ...INITIAL_STATE, encoding: 'rope', params: { base: 500000, layout: 'half_split' }, order: [3, 0, 1, 2] })).toBe(
      'v=3&order=3.0.1.2&encoding=rope&params=base:500000,layout:half_split',
    );
  });

  it('round-trips any state', () => {
    const words = fc.array(fc.constantFrom('dog', 'bites', 'man', 'naïve', '猫', '&', '=', '#', '100%', '+'), {
      minLength: 1,
      maxLength: 12,
    });
    const state = fc.record({
      text: words.map((list) => list.join(' ')),
      encoding: fc.constantFrom('none', 'rope', 'alibi'),
      params: fc.dictionary(
        fc.constantFrom('base', 'layout', 'odd_width'),
        fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }), fc.constantFrom('half_split', true, false)),
      ),
      mask: fc.constantFrom('none', 'causal'),
      open: fc
        .constantFrom(...QUESTIONS)
        .chain(({ id, views }) => fc.record({ question: fc.constant(id), view: fc.constantFrom('', ...views.map(({ kind }) => kind)) })),
      figures: fc.dictionary(
        fc.constantFrom('similarity.length', 'attention.matrix', 'frequencies.config'),
        fc.string({ unit: 'grapheme' }),
      ),
      projections: fc.constantFrom('identity', 'orthogonal'),
      heads: fc.integer({ min: -3, max: 70 }),
      head: fc.integer({ min: 0, max: 70 }),
      seed: fc.nat(),
      positionOffset: fc.double({ noNaN: true, noDefaultInfinity: true }),
      dim: fc.integer({ min: 0, max: 80 }),
    });
    fc.assert(
      fc.property(state, ({ open, ...parts }) => {
        // A link does not distinguish -0 from 0.
        const plainState = JSON.parse(JSON.stringify({ ...INITIAL_STATE, ...parts, ...open })) as LabState;
        expect(parseLink(`#${printLink(plainState)}`)).toEqual({ state: plainState });
      }),
    );
  });

  it('escapes texts once, and reads texts that earlier versions escaped twice', () => {
    const figures = { 'attention-map.passage': 'löwe, 100 %\nand more' };
    const link = printLink({ ...INITIAL_STATE, figures });
    expect(link).toBe('v=3&figures=attention-map.passage:l%C3%B6we%252C+100+%2525%0Aand+more');
    expect(parseLink(link).state.figures).toEqual(figures);
    const doubleEncoded = encodeURIComponent(`long.passage:${encodeURIComponent(figures['attention-map.passage'])}`);
    expect(parseLink(`v=1&figures=${doubleEncoded}`).state.figures).toEqual(figures);
  });

  it('round-trips the steps of a lecture', () => {
    const links = [printLink({ ...INITIAL_STATE, encoding: 'rope', text: 'a / b' }), ''];
    expect(parseLecture(printLecture(links))).toEqual(links);
    for (const none of ['', '#config', '#v=1&encoding=rope', '#lecture/']) expect(parseLecture(none)).toBeUndefined();
  });

  it('never throws and always returns a complete state', () => {
    const key = fc.oneof(fc.constantFrom(...Object.keys(LINK_FIELDS), 'v'), fc.string());
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.string())), (parts) => {
        const { state } = parseLink(`#${parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`);
        expect(Object.keys(state).sort()).toEqual(Object.keys(INITIAL_STATE).sort());
      }),
    );
    expect(parseLink('#%E0%A4%A').state).toEqual(INITIAL_STATE);
  });

  it.each([
    ['v=4&encoding=rope', 'version 4'],
    ['v=1&heads=many', 'In this link heads is “many”, which is not a number'],
    ['v=1&mask=left', 'which is not none or causal'],
    ['v=1&order=0.0.1.2', 'does not list every word exactly once'],
    ['v=1&order=1.0', 'is for 2 words, but the sentence has 4'],
    ['v=1&params=base', 'not a list like base:10000'],
    ['v=1&text=+', 'has no words'],
    ['v=1&encoding=%3Cscript%3E', 'which is not a name'],
    ['v=1&colour=red', 'In this link “colour” is not known to this page; it is ignored.'],
    ['v=1&order=1..2.3', 'does not list every word exactly once'],
    ['v=1&params=slopes:0.5;;0.25', 'is not a list like base:10000'],
    ['v=1&params=slopes:0.5;', 'is not a list like base:10000'],
    ['v=1&params=base:10,base:20', 'In this link params has “base” twice'],
    ['v=1&head=1.5', 'In this link head is “1.5”, which is not a whole number'],
    ['v=1&head=-1', 'In this link head is “-1”'],
    [`v=1&tour=${TOUR.length + 1}`, `which is outside 0 to ${TOUR.length}; the default`],
    ['v=1&tour=1.5', 'In this link tour is “1.5”'],
    [
      'v=1&view=nonsense',
      'In this link view is “nonsense”, but the question attention has the views attention, change, gates, custom; the default is used instead.',
    ],
    ['v=1&question=scores&view=similarity', 'In this link view is “similarity”, but the question scores has the views rotation,'],
    ['v=1&figures=nonsense.length:3', 'In this link figures contains “nonsense”, which is not a figure on this page'],
    ['v=1&figures=table.length:3,table.length:4', 'In this link figures has “table.length” twice'],
    ['v=1&heads=2&heads=8', 'In this link “heads” occurs more than once; the first is used.'],
    ['v=1&constructor=1', 'In this link “constructor” is not known to this page'],
  ])('reports the problem of %s', (hash, part) => {
    const { problem } = parseLink(hash);
    expect(problem).toContain(part);
    expect(problem).toMatch(/\.$/);
  });

  it('reports all errors', () => {
    expect(parseLink('v=1&heads=many&mask=left').problem).toBe(
      'In this link mask is “left”, which is not none or causal; the default is used instead. ' +
        'In this link heads is “many”, which is not a number; the default is used instead.',
    );
  });

  it('reports unknown fields of a figure and pairs out of range', () => {
    const sixteen = { kind: rotation, results: { channels: Array(8).fill([0, 1]) } };
    expect(listNotes(sixteen, { 'rotation.pair': '7', 'rotation.query': '3', 'table.foo': '1' })).toEqual([]);
    expect(listNotes(sixteen, { 'rotation.pair': '99', 'rotation.foo': '9' })).toEqual([
      'In this link “rotation.foo” is not a field of this figure; it is ignored.',
      'rotation.pair is “99”, but the pairs are numbered 0 to 7; pair 7 is shown.',
    ]);
    expect(listNotes({ kind: rotation }, { 'rotation.pair': '99' })).toEqual([]);
    expect(listNotes({ ...sixteen, dim: 32 }, { 'rotation.dim': '32' })).toEqual([]);
    expect(listNotes({ ...sixteen, dim: 16 }, { 'rotation.dim': '128' })).toEqual([
      'In this link rotation.dim is “128”, but here each head has 16 channels.',
    ]);
  });

  // Fields become attributes of the element, so the names of other attributes are rejected.
  it.each([
    'onfocus',
    'onclick',
    'style',
    'id',
    'tabindex',
    'autofocus',
    'kind',
    'group',
    'lock',
    'slot',
    '__proto__',
    'dataX',
    'ariaLabel',
  ])('rejects %s, which is not a figure field', (name) => {
    expect(parseLink(`v=3&figures=table.length:3,table.${name}:x`)).toEqual({
      state: INITIAL_STATE,
      problem: `In this link figures contains “${name}”, which is not a figure field; the default is used instead.`,
    });
  });

  it('reads the matrix of version 2', () => {
    expect(parseLink('v=2&matrix=scores')).toEqual({ state: { ...INITIAL_STATE, figures: { 'attention.matrix': 'scores' } } });
  });

  it('round-trips lists and small arrays with their shape, and omits large arrays', () => {
    const slopes = { shape: [2], data: Float32Array.of(0.5, -0.25) };
    const link = printLink({ ...INITIAL_STATE, encoding: 'alibi', params: { slopes } });
    expect(link).toBe('v=3&encoding=alibi&params=slopes:0.5%3B-0.25');
    expect(parseLink(link).state.params).toEqual({ slopes });
    const table = { shape: [1, 2], data: Float32Array.of(0.1, -2) };
    const linked = printLink({ ...INITIAL_STATE, encoding: 't5', params: { table } });
    expect(linked).toBe('v=3&encoding=t5&params=table:1x2%3B0.1%3B-2');
    expect(parseLink(linked).state.params).toEqual({ table });
    expect(printLink({ ...INITIAL_STATE, params: { table: { shape: [64, 64], data: new Float32Array(4096) } } })).toBe('');
    for (const invalidText of ['2x2;1;2;3', '0x2;', 'x2;1;2', '2x;1;2'])
      expect(parseLink(`v=1&params=table:${invalidText}`).problem, invalidText).toContain('is not a list like base:10000');
    expect(parseLink('v=1&params=slopes:0.5;many').problem).toContain('is not a list like base:10000');
  });

  it('reads each step of the tour', () => {
    for (let step = 1; step <= TOUR.length; ++step)
      expect(parseLink(`v=2&tour=${step}`)).toEqual({ state: { ...INITIAL_STATE, tour: step } });
  });

  it('ignores the id of an element', () => {
    expect(parseLink('#sentence-text')).toEqual({ state: INITIAL_STATE });
  });

  it('keeps the valid parts of an invalid link', () => {
    const { state } = parseLink('v=2&heads=many&encoding=rope&mask=causal');
    expect(state).toEqual({ ...INITIAL_STATE, encoding: 'rope', mask: 'causal' });
  });
});
