// Opens a figure in the Lab with the fields of a link in another figure.
import type { DetailFigure } from '../../figure/contract/kind.ts';
import { QUESTIONS } from '../questions/questions.ts';
import { change, state } from '../state/store.ts';

export function openKind({ kind, fields }: DetailFigure): void {
  const question = QUESTIONS.find(({ views }) => views.some((view) => view.kind === kind));
  if (!question) throw new Error(`kind: the Lab has no figure ${kind}`);
  const otherFields = Object.entries(state.peek().figures).filter(([name]) => !name.startsWith(`${kind}.`));
  const ownFields = Object.entries(fields).map(([name, value]) => [`${kind}.${name}`, value]);
  change({ question: question.id, view: kind, figures: Object.fromEntries([...otherFields, ...ownFields]) });
  // Scrolls to the figure, because the clicked button is below a different picture.
  document.getElementById('answers')?.scrollIntoView();
}
