// Selecting an encoding restores its previous parameters.
import type { EncodingInfo, Injection, Params } from '../../engine/index.ts';
import { INJECTION_GROUPS, type InjectionGroup } from '../../figure/controls/injection-groups.ts';
import { descriptionOf } from '../descriptions.ts';
import { change, encodingId, engine, state } from '../state/store.ts';

/** Parameters of previously selected encodings, restored when they are selected again. */
const stored = new Map<string, Params>();

export function chooseEncoding(id: string): void {
  stored.set(state.peek().encoding, state.peek().params);
  change({ encoding: id, params: stored.get(id) ?? {} }, 'encoding');
}

const rankOf = ({ id }: EncodingInfo): number => descriptionOf(id)?.rank ?? Number.POSITIVE_INFINITY;

/** The encodings of a group; those for images, and those that read tensors per token and so need a causal mask, only when selected. */
export const membersOf = (encodings: readonly EncodingInfo[], injection: Injection): EncodingInfo[] =>
  encodings
    .filter((one) => one.injection === injection && ((one.axes === 1 && one.tokens.length === 0) || one.id === encodingId.value))
    .sort((a, b) => rankOf(a) - rankOf(b));

/** All of them, by injection point, without empty groups. */
export const groupedEncodings = (): (InjectionGroup & { readonly members: readonly EncodingInfo[] })[] =>
  INJECTION_GROUPS.map((group) => ({ ...group, members: membersOf(engine.value?.encodings ?? [], group.injection) })).filter(
    ({ members }) => members.length > 0,
  );
