// The requested spec of one figure: fields of the page, changes by the reader, and changes in linked figures.
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-core';
import type { EncodingInfo } from '../../engine/index.ts';
import type { FieldTable, SpecOf } from '../contract/fields.ts';
import type { AnyKind } from '../contract/registry.ts';
import { type RawFields, readSpec, SpecError, sameSpec } from '../contract/spec.ts';
import { STRINGS } from '../contract/strings.ts';
import { type LinkGroup, type RejectedValue, rejectedShared, SHARED } from './link-group.ts';

export type AnySpec = SpecOf<FieldTable>;

export interface RequestedSpec {
  /** Unparsed fields, from the page, the reader and linked figures. */
  readonly given: ReadonlySignal<RawFields>;
  /** The requested spec, or its error. */
  readonly spec: ReadonlySignal<AnySpec | SpecError>;
  /** Values of linked figures that were rejected. */
  readonly rejectedValues: ReadonlySignal<readonly RejectedValue[]>;
  /** Values of fields before the reader changed them in this figure. */
  readonly before: RawFields;
  /** Sets fields as the page; undefined removes one. */
  give(fields: RawFields): void;
  /** Sets fields as the reader: linked figures follow. */
  change(fields: RawFields): void;
}

export interface RequestedSpecOptions {
  readonly rawFields: RawFields;
  readonly group: LinkGroup | undefined;
  /** Fields that neither the reader nor linked figures can change. */
  readonly locked: readonly string[];
  readonly encodings: ReadonlySignal<readonly EncodingInfo[]>;
  /** Counts repetitions: a new count requests the same spec again. */
  readonly repeats: ReadonlySignal<number>;
  /** The name of an encoding on this page. */
  readonly nameOf: ((id: string) => string) | undefined;
  /** The spec whose numbers are shown. */
  shown(): AnySpec | undefined;
}

/** The fields of `provided`; if `next` sets an encoding, without the parameters of the previous one. */
function withoutParams(kind: AnyKind, provided: RawFields, next: RawFields): RawFields {
  if (next.encoding === undefined) return provided;
  return Object.fromEntries(Object.entries(provided).filter(([name]) => Object.hasOwn(kind.fields, name)));
}

export function requestedSpec(
  kind: AnyKind,
  { rawFields, group, locked, encodings, repeats, nameOf = (id) => id, shown }: RequestedSpecOptions,
): RequestedSpec {
  const own = signal<RawFields>(rawFields);
  /** Changes in linked figures that are older than the fields of the page. */
  const outdated = signal<RawFields>({});
  const follows = (name: string): boolean =>
    SHARED.includes(name) && Object.hasOwn(kind.fields, name) && !locked.includes(name) && !kind.ownFields?.includes(name);
  const current = computed((): [name: string, value: unknown][] => {
    const old = outdated.value;
    const changes = Object.entries(group?.changes.value ?? {});
    return changes.filter(([name, value]) => follows(name) && !(Object.hasOwn(old, name) && Object.is(old[name], value)));
  });
  const linked = computed(
    (): RawFields => Object.fromEntries(current.value.filter(([name, value]) => !rejectedShared(kind, name, value, encodings.value))),
  );
  const stored = computed(() =>
    // Fields set in this figure are not checked as linked values: their errors are shown here.
    current.value.flatMap(([name, value]) =>
      Object.is(own.value[name], value) ? [] : named(rejectedShared(kind, name, value, encodings.value)),
    ),
  );
  /** Adds the encoding that replaces a rejected one. */
  const named = (one: RejectedValue | undefined): readonly RejectedValue[] => {
    const { encoding } = spec.value as { readonly encoding?: { readonly id: string } };
    if (one?.encoding === undefined || !encoding) return one ? [one] : [];
    return [{ ...one, message: STRINGS.instead(nameOf(one.encoding), nameOf(encoding.id)) }];
  };
  const all = computed((): RawFields => ({ ...withoutParams(kind, own.value, linked.value), ...linked.value }));

  let latest: AnySpec | undefined;
  let count: number | undefined;
  /** The same object while the request is equal, whatever else linked figures change; a new object requests a recomputation. */
  const spec = computed((): AnySpec | SpecError => {
    const isSame = repeats.value === count;
    count = repeats.value;
    try {
      const next = readSpec(kind, all.value);
      latest = (isSame && [shown(), latest].find((one) => one && sameSpec(kind, one, next))) || next;
      return latest;
    } catch (thrown) {
      if (thrown instanceof SpecError) return thrown;
      throw thrown;
    }
  });

  const before: { [field: string]: unknown } = {};
  const ownChanges: { [field: string]: unknown } = {};
  /** Stores the values that `change` replaces, unless the reader has set them too. */
  const remember = ([name, value]: [string, unknown]): void => {
    const now = all.peek()[name];
    if (!Object.hasOwn(ownChanges, name) || now !== ownChanges[name]) before[name] = now;
    if (before[name] === value) delete before[name];
    ownChanges[name] = value;
  };

  return {
    given: all,
    spec,
    rejectedValues: stored,
    before,
    give(fields) {
      const changes = group?.changes.peek() ?? {};
      const names = Object.keys(fields).filter((name) => Object.hasOwn(changes, name));
      batch(() => {
        if (names.length > 0) {
          outdated.value = { ...outdated.peek(), ...Object.fromEntries(names.map((name) => [name, changes[name]])) };
        }
        own.value = { ...own.peek(), ...fields };
      });
    },
    change(fields) {
      const open = Object.fromEntries(Object.entries(fields).filter(([name]) => !locked.includes(name)));
      batch(() => {
        Object.entries(open).forEach(remember);
        own.value = { ...withoutParams(kind, own.peek(), open), ...open };
        const shared = Object.entries(open).filter(([name]) => follows(name));
        if (!group || shared.length === 0) return;
        outdated.value = Object.fromEntries(Object.entries(outdated.peek()).filter(([name]) => !Object.hasOwn(open, name)));
        group.changes.value = { ...group.changes.peek(), ...Object.fromEntries(shared) };
      });
    },
  };
}
