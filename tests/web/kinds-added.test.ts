// A kind is one folder: every list of kinds finds tests/web/fixture-kinds/parity, beside web/figure/kinds, without edits.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseFigureUrl } from '../../web/book/gallery/shown.ts';
import { createLabLink } from '../../web/book/lab-link.ts';
import * as modules from '../../web/book/node.ts';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import type { HintFunction } from '../../web/figure/contract/hint.ts';
import { onDemandKindSource } from '../../web/figure/contract/kinds-on-demand.ts';
import type { Placement, ReferencePlacement } from '../../web/figure/contract/placement.ts';
import { type AnyKind, collectKinds, createKindSource } from '../../web/figure/contract/registry.ts';
import { readSpec } from '../../web/figure/contract/spec.ts';
import { getFieldLabel } from '../../web/figure/contract/strings.ts';
import { renderFieldControls } from '../../web/figure/controls/controls.ts';
import { getFieldHelp } from '../../web/figure/controls/field-help.ts';
import { arrangeViews } from '../../web/lab/questions/arrangement.ts';
import { collectHints, getHint, HINTS } from '../../web/lab/questions/hints.ts';
import { collectPlacements, PLACEMENTS } from '../../web/lab/questions/placements.ts';
import { createQuestions, QUESTIONS } from '../../web/lab/questions/questions.ts';
import { INITIAL_STATE } from '../../web/lab/state/state.ts';

const script = (path: string) => import(join(process.cwd(), 'scripts', path));
const { DOCUMENTS, kindsIn, kindsList } = (await script('docs/kinds.mjs')) as {
  DOCUMENTS: readonly string[];
  kindsIn: (folder: string) => string[];
  kindsList: (ids: readonly string[]) => string;
};
const { withSection } = (await script('sections.mjs')) as {
  withSection: (document: string, name: string, text: string, file: string) => string;
};
const { gallery } = (await script('book/site-pieces.mjs')) as {
  gallery: (tiles: readonly object[], home: string, means: object) => string;
};
const { bodyOf } = (await script('book/reference.mjs')) as {
  bodyOf: (encoding: object, description: object, means: object) => Promise<string>;
};

const OWN = 'web/figure/kinds';
const ADDED = 'tests/web/fixture-kinds';
const added = collectKinds({
  ...import.meta.glob<{ kind: AnyKind }>('../../web/figure/kinds/*/index.ts', { eager: true }),
  ...import.meta.glob<{ kind: AnyKind }>('./fixture-kinds/*/index.ts', { eager: true }),
});
const positions = {
  ...PLACEMENTS,
  ...collectPlacements(import.meta.glob<Placement>('./fixture-kinds/*/placement.ts', { eager: true, import: 'placement' })),
};
const sentences = {
  ...HINTS,
  ...collectHints(import.meta.glob<HintFunction>('./fixture-kinds/*/hint.ts', { eager: true, import: 'hint' })),
};
const references = {
  ...modules.references,
  ...modules.collectReferences(import.meta.glob<{ reference?: ReferencePlacement }>('./fixture-kinds/*/placement.ts', { eager: true })),
};
const parity = added.parity as AnyKind;
const encoding = { id: 'sinusoidal', injection: 'input', axes: 1, params: [], tokens: [], prefixStable: true } as never;

describe('added kind folder', () => {
  it('is registered under its folder name', () => {
    expect(Object.keys(added)).toEqual([...Object.keys(kinds), 'parity'].sort());
    expect(Object.values(added).map(({ id }) => id)).toEqual(Object.keys(added));
  });

  it('is loaded on demand', async () => {
    const source = createKindSource(import.meta.glob<{ kind: AnyKind }>('./fixture-kinds/*/index.ts'), Object.values(kinds));
    expect(source.ids).toEqual(Object.keys(added));
    expect(source.get('parity')).toBeUndefined();
    expect((await source.load('parity')).question).toBe('Do even and odd positions differ?');
    expect(source.get('parity')).toBe(parity);
  });

  it('appears in the gallery', () => {
    const tile = { id: 'parity', question: parity.question, width: 384, height: 100 };
    const page = gallery([tile], '../', { ...modules, kinds: added, QUESTIONS: createQuestions(positions) });
    for (const part of ['href="../gallery/parity/"', 'Do even and odd positions differ?', '../gallery/parity-dark.svg'])
      expect(page).toContain(part);
    expect(modules.mainControls(parity)).toBe('encoding length dim more');
    expect(parseFigureUrl('?length=4', 'parity')).toEqual({ spec: { kind: 'parity', length: '4' } });
    expect(parseFigureUrl('?kind=parity&length=4')).toEqual({ spec: { kind: 'parity', length: '4' } });
  });

  it('appears under its question of the Lab, in order and with its hint', () => {
    const questions = createQuestions(positions);
    const position = questions.find(({ id }) => id === 'position') as (typeof questions)[number];
    const order = ['table', 'waves', 'parity', 'clocks'];
    expect(position.views.map(({ kind }) => kind).filter((kind) => order.includes(kind))).toEqual(order);
    const { largeView } = arrangeViews(position, 'parity', encoding);
    expect([largeView.kind, largeView.title, getHint(largeView.kind, encoding, INITIAL_STATE, sentences)]).toEqual([
      'parity',
      'Parity',
      'Every other row of the sinusoidal encoding.',
    ]);
    const link = createLabLink(parity, readSpec(parity, { parity: 'odd', dim: 4 }), questions);
    for (const part of ['question=position', 'view=parity', 'parity.parity:odd', 'parity.dim:4']) expect(link).toContain(part);
  });

  it('has its own labels and help for its fields, and the shared ones for others', () => {
    const spec = readSpec(parity, {});
    const controls = renderFieldControls({ kind: parity, values: spec, encodings: [] }, { included: undefined, locked: [], set: () => {} });
    const serialized = JSON.stringify(controls);
    for (const words of [
      'positions that are shown',
      'Every other position, from 0 or from 1 on.',
      'Number of positions shown, starting at 0.',
    ])
      expect(serialized).toContain(words);
  });

  it('appears on the reference page of an encoding, with its caption', async () => {
    const context = { modules: { ...modules, kinds: added, references, readReferenceSource: () => '' }, figures: async () => ({}) };
    const body = await bodyOf(encoding, { title: 'Sinusoidal', summary: '', formula: '' }, context);
    const figureIndex = (kind: string) => body.indexOf(`::: figure kind=${kind} encoding=sinusoidal\n`);
    expect(body).toContain('::: figure kind=parity encoding=sinusoidal\nEvery other row of Sinusoidal.\n:::');
    expect(figureIndex('table') < figureIndex('parity') && figureIndex('parity') < figureIndex('waves')).toBe(true);
  });

  it('appears in the list of kinds of the READMEs', () => {
    const ids = [...kindsIn(OWN), ...kindsIn(ADDED)].sort();
    const parityIndex = ids.indexOf('parity');
    expect(kindsList(ids).replaceAll('\n', ' ')).toContain(` ${ids.slice(parityIndex - 1, parityIndex + 2).join(', ')}, `);
    expect(kindsList(ids).startsWith(`${ids.length} kinds: ${ids[0]}, `)).toBe(true);
  });
});

describe('kind folders', () => {
  it('are listed in the READMEs; npm run docs updates them', () => {
    for (const file of DOCUMENTS) {
      const document = readFileSync(file, 'utf8');
      expect(document, file).toBe(withSection(document, 'kinds', kindsList(kindsIn(OWN)), file));
    }
    expect(kindsIn(OWN)).toEqual(Object.keys(kinds));
  });

  it('are the kinds of the site, and all can be loaded', async () => {
    expect(onDemandKindSource.ids).toEqual(kindsIn(OWN));
    for (const id of onDemandKindSource.ids) expect((await onDemandKindSource.load(id)).id).toBe(id);
  });

  it('define compute before the properties whose types TypeScript infers from it', () => {
    for (const [id, kind] of Object.entries(kinds)) {
      const [computed, ...otherModules] = ['compute', 'playback', 'scene', 'actions', 'choose', 'readout', 'proof', 'tables'].map((name) =>
        Object.keys(kind).indexOf(name),
      );
      expect(
        otherModules.filter((reader) => reader >= 0 && reader < (computed as number)),
        id,
      ).toEqual([]);
    }
  });

  it('each have a test', () => {
    const tests = readdirSync('tests/web/kinds');
    expect(kindsIn(OWN).filter((id) => !tests.includes(`${id}.test.ts`))).toEqual([]);
  });

  it('have a label and help for every editable field, and none for unknown fields', () => {
    for (const [id, kind] of Object.entries(kinds)) {
      for (const [name, { control }] of Object.entries(kind.fields)) {
        if (control.kind === 'none' || /^name[AB]$/.test(name)) continue;
        expect(kind.help?.[name] ?? getFieldHelp(name), `${id}.${name}`).toMatch(/\.$/);
        expect(getFieldLabel(kind, name), `${id}.${name}`).not.toMatch(/[A-Z]{2}|undefined/);
      }
      const names = [...Object.keys(kind.labels ?? {}), ...Object.keys(kind.help ?? {})];
      expect(
        names.filter((name) => !Object.hasOwn(kind.fields, name)),
        id,
      ).toEqual([]);
      expect(Object.keys(kind.labels ?? {}).sort(), id).toEqual(Object.keys(kind.help ?? {}).sort());
    }
  });

  it('have unique sort keys in the Lab and on reference pages', () => {
    for (const { id, views } of QUESTIONS) expect(new Set(views.map(({ sortKey }) => sortKey)).size, id).toBe(views.length);
    const referenceModules = Object.values(modules.references);
    expect(new Set(referenceModules.map(({ sortKey }) => sortKey)).size).toBe(referenceModules.length);
  });
});
