// The groups of figure kinds in the gallery, and the visible controls of a kind's page.
import type { AnyKind } from '../../figure/contract/registry.ts';
import type { Question } from '../../lab/questions/questions.ts';
import { GALLERY_STRINGS as STRINGS } from '../strings.ts';

/** The kinds of figure that answer one of the Lab's questions. */
export interface KindGroup {
  readonly title: string;
  readonly ids: readonly string[];
}

/**
 * Groups kinds of figure by Lab question, in the order of the Lab. Kinds without a question form the first group, except for trainable ones, which
 * join the last group that contains a trainable kind.
 */
export function groupKinds(kinds: { readonly [id: string]: AnyKind }, questions: readonly Question[]): readonly KindGroup[] {
  const groups = questions.map(({ heading, views }) => ({
    title: heading,
    ids: views.map(({ kind }) => kind).filter((id) => id in kinds),
  }));
  const assignedIds = new Set(groups.flatMap(({ ids }) => ids));
  const unassignedIds = Object.keys(kinds).filter((id) => !assignedIds.has(id));
  const canTrain = (id: string): boolean => kinds[id]?.trainable !== undefined && !kinds[id]?.showsLanguageModel;
  const firstGroup = { title: STRINGS.firstGroupTitle, ids: unassignedIds.filter((id) => !canTrain(id)) };
  const trainingGroup = groups.findLast(({ ids }) => ids.some(canTrain));
  const allGroups = groups.map((group) =>
    group === trainingGroup ? { ...group, ids: [...group.ids, ...unassignedIds.filter(canTrain)] } : group,
  );
  return [firstGroup, ...allGroups].filter(({ ids }) => ids.length > 0);
}

const MAIN_FIELD_COUNT = 3;

/** The value of the `controls` attribute on a kind's page: the main fields, then 'more' for all other fields. */
export function listMainControls({ fields, mainFields }: AnyKind): string {
  const fieldNames = Object.keys(fields).filter((name) => fields[name]?.control.kind !== 'none');
  return [...(mainFields ?? fieldNames.slice(0, MAIN_FIELD_COUNT)), 'more'].join(' ');
}
