// Information about kinds for the gallery pages: their groups, and the controls that are not folded.
import type { AnyKind } from '../../figure/contract/registry.ts';
import type { Question } from '../../lab/questions/questions.ts';
import { GALLERY_STRINGS as STRINGS } from '../strings.ts';

/** The ids of the kinds that answer one Lab question. */
export interface KindGroup {
  readonly title: string;
  readonly ids: readonly string[];
}

/**
 * Kinds by question, in the order of the Lab. Kinds without a question come first, except kinds that train, which are in the last group with
 * the other kinds that train.
 */
export function kindGroups(kinds: { readonly [id: string]: AnyKind }, questions: readonly Question[]): readonly KindGroup[] {
  const groups = questions.map(({ heading, views }) => ({
    title: heading,
    ids: views.map(({ kind }) => kind).filter((id) => id in kinds),
  }));
  const placed = new Set(groups.flatMap(({ ids }) => ids));
  const others = Object.keys(kinds).filter((id) => !placed.has(id));
  const trains = (id: string): boolean => kinds[id]?.trainable !== undefined && !kinds[id]?.isOfLanguageModel;
  const first = { title: STRINGS.first, ids: others.filter((id) => !trains(id)) };
  const last = groups.findLast(({ ids }) => ids.some(trains));
  const learned = groups.map((group) => (group === last ? { ...group, ids: [...group.ids, ...others.filter(trains)] } : group));
  return [first, ...learned].filter(({ ids }) => ids.length > 0);
}

/** Default number of unfolded fields on a kind's page. */
const MAIN_FIELDS = 3;

/** The attribute `controls` on a kind's page: the main fields, then the others, folded. */
export function mainControls({ fields, main }: AnyKind): string {
  const first = Object.keys(fields).filter((name) => fields[name]?.control.kind !== 'none');
  return [...(main ?? first.slice(0, MAIN_FIELDS)), 'more'].join(' ');
}
