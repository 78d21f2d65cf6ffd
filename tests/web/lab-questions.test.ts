// The five questions: every kind of figure has its place, and what the Lab says of a kind is what the kind itself says.
import { describe, expect, it } from 'vitest';
import type * as Package from '../../web/engine/node.ts';
import { kinds } from '../../web/figure/registry.ts';
import { arranged, QUESTION_IDS, QUESTIONS, questionOf, shows, suggested, whyNot } from '../../web/lab/questions.ts';
import { INITIAL } from '../../web/lab/state.ts';
import { TOLD, whatToSee } from '../../web/lab/what-to-see.ts';
import { QUESTION_WORDS } from '../../web/lab/words.ts';

const { createPhasor }: typeof Package = await import('../../dist/npm/node.js' as string);
const { encodings } = await createPhasor();
const views = QUESTIONS.flatMap((question) => question.views);

describe('questions', () => {
  it('have a place for every kind of figure but the sentence, which is always there', () => {
    expect(views.map(({ kind }) => kind).sort()).toEqual(Object.keys(kinds).filter((id) => id !== 'sentence'));
    expect(QUESTIONS.map(({ id }) => id).sort()).toEqual([...QUESTION_IDS].sort());
    expect([...TOLD].sort()).toEqual(views.map(({ kind }) => kind).sort());
    expect(Object.keys(QUESTION_WORDS.views).sort()).toEqual(views.map(({ kind }) => kind).sort());
  });

  it.each(views.filter(({ needs }) => needs).map((view) => [view.kind, view] as const))(
    '%s shows what its own field offers',
    (kind, view) => {
      const control = kinds[kind]?.fields.encoding?.control;
      if (control?.kind !== 'encoding') throw new Error(`${kind} has no encoding`);
      for (const encoding of encodings) {
        const offered = control.ids?.includes(encoding.id) ?? control.injections?.includes(encoding.injection) ?? true;
        expect(shows(view, encoding), encoding.id).toBe(offered);
      }
    },
  );

  it('say why a view has nothing to show, and lead to one that has', () => {
    for (const encoding of encodings) {
      const { large } = arranged(questionOf(suggested(encoding)), '', encoding);
      expect(shows(large, encoding), encoding.id).toBe(true);
      for (const view of views) {
        const reason = whyNot(view, encoding, encoding.id);
        expect(reason === '', `${view.kind}, ${encoding.id}`).toBe(shows(view, encoding));
        if (reason) expect(reason).toMatch(/^[^.]*\.( |$)|^.*\.$/);
      }
    }
  });

  it('put at most two figures beside the large one, none of them empty', () => {
    for (const question of QUESTIONS) {
      for (const encoding of encodings) {
        for (const { kind } of question.views) {
          const { large, beside } = arranged(question, kind, encoding);
          expect(large.kind).toBe(kind);
          expect(beside.length).toBeLessThanOrEqual(2);
          for (const one of beside) expect(shows(one, encoding) && one !== large).toBe(true);
        }
        expect(arranged(question, 'no_such_kind', encoding)).toEqual(arranged(question, '', encoding));
      }
    }
  });

  it('are told in two sentences at most for every view and encoding', () => {
    for (const { kind } of views)
      for (const encoding of encodings) expect(whatToSee(kind, encoding, INITIAL).split(/(?<=\.) /).length, kind).toBeLessThanOrEqual(2);
  });
});
