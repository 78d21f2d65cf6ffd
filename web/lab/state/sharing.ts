import { effect } from '@preact/signals-core';
import type { Params } from '../../engine/index.ts';
import type { RawFields } from '../../figure/contract/spec.ts';
import type { LinkGroup } from '../../figure/runtime/link-group.ts';
import type { LabState } from './state.ts';
import { change, state } from './store.ts';

export const LINK_GROUP = 'lab';

type SharedKey = 'text' | 'order' | 'mask' | 'heads' | 'projections' | 'seed' | 'positionOffset' | 'dim';
const SHARED_KEYS: readonly SharedKey[] = ['text', 'order', 'mask', 'heads', 'projections', 'seed', 'positionOffset', 'dim'];

/** Converts the Lab state to figure fields. Figures count heads from 1, and their `encoding` field includes the parameters. */
export const toSharedFields = (labState: LabState): RawFields => ({
  ...Object.fromEntries(SHARED_KEYS.map((key) => [key, labState[key]])),
  encoding: { ...labState.params, id: labState.encoding },
  head: labState.head + 1,
});

export function toState({ encoding, head, ...rest }: RawFields): Partial<LabState> {
  const sharedState = Object.fromEntries(SHARED_KEYS.filter((key) => rest[key] !== undefined).map((key) => [key, rest[key]]));
  const { id, ...params } = (encoding ?? {}) as { readonly id?: string } & Params;
  return {
    ...sharedState,
    ...(id === undefined ? {} : { encoding: id, params }),
    ...(head === undefined ? {} : { head: Number(head) - 1 }),
  };
}

const serialize = (value: unknown): string =>
  JSON.stringify(value, (_, entry) => (ArrayBuffer.isView(entry) ? Array.from(entry as Float32Array) : entry));
const listChangedFields = (newFields: RawFields, previousFields: RawFields): [string, unknown][] =>
  Object.entries(newFields).filter(
    ([name, value]) => value !== previousFields[name] && serialize(value) !== serialize(previousFields[name]),
  );

/**
 * Keeps the Lab state and the group's shared fields in sync.
 * @returns a function that stops the synchronization
 */
export function shareState(group: LinkGroup): () => void {
  const stopEffects = [
    effect(() => {
      const changedEntries = listChangedFields(toSharedFields(state.value), group.fieldChanges.peek());
      if (changedEntries.length > 0) group.fieldChanges.value = { ...group.fieldChanges.peek(), ...Object.fromEntries(changedEntries) };
    }),
    effect(() => {
      const changedEntries = listChangedFields(toState(group.fieldChanges.value) as RawFields, state.peek() as unknown as RawFields);
      if (changedEntries.length > 0) change(Object.fromEntries(changedEntries));
    }),
  ];
  return () => {
    for (const stopEffect of stopEffects) stopEffect();
  };
}
