// The groups of figure kinds in the gallery, and the visible controls of a kind's page.
import type { AnyKind } from '../../figure/contract/registry.ts';
import type { Question } from '../../lab/questions/questions.ts';
import { GALLERY_STRINGS as STRINGS } from '../strings.ts';

/** The kinds that answer one question of the Lab. */
export interface KindGroup {
  readonly title: string;
  readonly ids: readonly string[];
}

/**
 * Kinds grouped by question, in the order of the Lab. Kinds without a question are in the first group, or in the last training group if they train.
 */
export function kindGroups(kinds: { readonly [id: string]: AnyKind }, questions: readonly Question[]): readonly KindGroup[] {
  const groups = questions.map(({ heading, views }) => ({
    title: heading,
    ids: views.map(({ kind }) => kind).filter((id) => id in kinds),
  }));
  const assigned = new Set(groups.flatMap(({ ids }) => ids));
  const unassigned = Object.keys(kinds).filter((id) => !assigned.has(id));
  const trains = (id: string): boolean => kinds[id]?.trainable !== undefined && !kinds[id]?.isOfLanguageModel;
  const firstGroup = { title: STRINGS.first, ids: unassigned.filter((id) => !trains(id)) };
  const trainingGroup = groups.findLast(({ ids }) => ids.some(trains));
  const completedGroups = groups.map((group) =>
    group === trainingGroup ? { ...group, ids: [...group.ids, ...unassigned.filter(trains)] } : group,
  );
  return [firstGroup, ...completedGroups].filter(({ ids }) => ids.length > 0);
}

/** Default number of controls that are always visible. */
const MAIN_FIELDS = 3;

/** The `controls` attribute on a kind's page: the main fields, then 'more' for all others. */
export function mainControls({ fields, main }: AnyKind): string {
  const fieldNames = Object.keys(fields).filter((name) => fields[name]?.control.kind !== 'none');
  return [...(main ?? fieldNames.slice(0, MAIN_FIELDS)), 'more'].join(' ');
}
