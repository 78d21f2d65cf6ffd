// The questions of the Lab: every figure kind with a placement has a view, and the texts of the Lab agree with the kind.

import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPhasor } from '../../web/engine/node.ts';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { matchesFilter } from '../../web/figure/contract/offered.ts';
import type { Placement } from '../../web/figure/contract/placement.ts';
import { arrangeViews, explainUnsupported, suggestQuestion, supports } from '../../web/lab/questions/arrangement.ts';
import { getHint, HINTS } from '../../web/lab/questions/hints.ts';
import { PLACEMENTS } from '../../web/lab/questions/placements.ts';
import type { QuestionInfo } from '../../web/lab/questions/question-info.ts';
import { createQuestions, findQuestion, QUESTION_IDS, QUESTIONS } from '../../web/lab/questions/questions.ts';
import { INITIAL_STATE } from '../../web/lab/state/state.ts';

const { encodings } = await createPhasor();
const views = QUESTIONS.flatMap((question) => question.views);

describe('questions', () => {
  it('include every figure kind with a placement.ts', () => {
    const placedKinds = Object.keys(kinds).filter((id) => existsSync(`web/figure/kinds/${id}/placement.ts`));
    expect(views.map(({ kind }) => kind).sort()).toEqual(placedKinds);
    const ids = QUESTIONS.map(({ id }) => id);
    // From positions to their effects.
    const inOrder = ['position', 'scores', 'attention', 'compare', 'reach'];
    expect(ids.filter((id) => inOrder.includes(id))).toEqual(inOrder);
    for (const { id, views } of QUESTIONS) expect(views.length, id).toBeGreaterThan(0);
    expect(QUESTION_IDS[0]).toBe('attention');
    expect([...QUESTION_IDS].sort()).toEqual(QUESTIONS.map(({ id }) => id).sort());
    for (const { id, views } of QUESTIONS) expect(new Set(views.map(({ sortKey }) => sortKey)).size, id).toBe(views.length);
    expect(new Set(views.map(({ title }) => title)).size).toBe(views.length);
    expect(Object.keys(HINTS)).toEqual(Object.keys(PLACEMENTS));
  });

  it('keep the order, texts and figures of their list', () => {
    const info = (id: string): QuestionInfo => ({
      id,
      name: 'Learning',
      heading: 'What does training do to it?',
      suggestedFor: [],
      hasSupportingViews: false,
      guideParts: [],
    });
    const list = [info('learning'), info('reach')];
    const [first, second] = createQuestions({ table: { ...(PLACEMENTS.table as Placement), question: 'learning' } }, list);
    expect([first?.id, first?.heading, first?.views.map(({ kind }) => kind)]).toEqual([
      'learning',
      'What does training do to it?',
      ['table'],
    ]);
    expect([second?.id, second?.views]).toEqual(['reach', []]);
  });

  it('reject a kind whose question is unknown', () => {
    const unknownPlacement = { ...(PLACEMENTS.table as Placement), question: 'elsewhere' };
    expect(() => createQuestions({ ...PLACEMENTS, lost: unknownPlacement })).toThrow(
      'figure/kinds/lost/placement.ts: the Lab has no question elsewhere',
    );
  });

  it.each(views.filter(({ needs }) => needs).map((view) => [view.kind, view] as const))(
    '%s supports the encodings that its encoding field offers',
    (kind, view) => {
      const control = kinds[kind]?.fields.encoding?.control;
      if (control?.kind !== 'encoding') throw new Error(`${kind} has no encoding`);
      for (const encoding of encodings) {
        expect(supports(view, encoding), encoding.id).toBe(matchesFilter(control, encoding));
      }
    },
  );

  it('explain why a view is unsupported, and suggest a supported one', () => {
    for (const encoding of encodings) {
      const { largeView } = arrangeViews(findQuestion(suggestQuestion(encoding)), '', encoding);
      expect(supports(largeView, encoding), encoding.id).toBe(true);
      for (const view of views) {
        const reason = explainUnsupported(view, encoding, encoding.id);
        expect(reason === '', `${view.kind}, ${encoding.id}`).toBe(supports(view, encoding));
        if (reason) expect(reason).toMatch(/^[^.]*\.( |$)|^.*\.$/);
      }
    }
  });

  it('show at most two supporting figures, all supported', () => {
    for (const question of QUESTIONS) {
      for (const encoding of encodings) {
        for (const { kind } of question.views) {
          const { largeView, supportingViews } = arrangeViews(question, kind, encoding);
          expect(largeView.kind).toBe(kind);
          expect(supportingViews.length).toBeLessThanOrEqual(2);
          for (const view of supportingViews) expect(supports(view, encoding) && view !== largeView).toBe(true);
        }
        expect(arrangeViews(question, 'no_such_kind', encoding)).toEqual(arrangeViews(question, '', encoding));
      }
    }
  });

  it('have hints of at most two sentences for every view and encoding', () => {
    for (const view of views)
      for (const encoding of encodings) {
        const hint = getHint(view.kind, encoding, INITIAL_STATE);
        expect(hint, view.kind).toMatch(/\.$/);
        expect(hint.split(/(?<=\.) /).length, view.kind).toBeLessThanOrEqual(2);
      }
  });
});
