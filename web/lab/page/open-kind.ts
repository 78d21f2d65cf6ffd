// Follows a link from one figure to another: opens the linked figure in the Lab and sets the link's fields.
import type { DetailFigure } from '../../figure/contract/kind.ts';
import { QUESTIONS } from '../questions/questions.ts';
import { change, state } from '../state/store.ts';

export function openKind({ kind, fields }: DetailFigure): void {
  const question = QUESTIONS.find(({ views }) => views.some((view) => view.kind === kind));
  if (!question) throw new Error(`kind: the Lab has no figure ${kind}`);
  const otherFields = Object.entries(state.peek().figures).filter(([name]) => !name.startsWith(`${kind}.`));
  const ownFields = Object.entries(fields).map(([name, value]) => [`${kind}.${name}`, value]);
  change({ question: question.id, view: kind, figures: Object.fromEntries([...otherFields, ...ownFields]) });
  // The clicked button is below another figure, so the opened one may be out of view.
  document.getElementById('answers')?.scrollIntoView();
}
