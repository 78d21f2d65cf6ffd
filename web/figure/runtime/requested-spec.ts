// Merges the fields set by the page with changes made by the user and in linked figures.
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-core';
import type { EncodingInfo } from '../../engine/index.ts';
import type { FieldTable, SpecOf } from '../contract/fields.ts';
import type { AnyKind } from '../contract/registry.ts';
import { isSameSpec, type RawFields, readSpec, SpecError } from '../contract/spec.ts';
import { STRINGS } from '../contract/strings.ts';
import { checkSharedValue, type LinkGroup, type RejectedValue, SHARED_FIELDS } from './link-group.ts';

export type AnySpec = SpecOf<FieldTable>;

export interface RequestedSpec {
  /** Unparsed fields set by the page, the user and linked figures. */
  readonly unparsedFields: ReadonlySignal<RawFields>;
  readonly spec: ReadonlySignal<AnySpec | SpecError>;
  readonly rejectedValues: ReadonlySignal<readonly RejectedValue[]>;
  /** Values of fields before the user changed them in this figure. */
  readonly valuesBeforeChange: RawFields;
  /** Sets fields on behalf of the page; undefined removes a field. */
  setFields(fields: RawFields): void;
  /** Sets fields on behalf of the user; linked figures follow. */
  change(fields: RawFields): void;
}

export interface RequestedSpecOptions {
  readonly rawFields: RawFields;
  readonly group: LinkGroup | undefined;
  /** Fields that neither the user nor linked figures can change. */
  readonly lockedFields: readonly string[];
  readonly encodings: ReadonlySignal<readonly EncodingInfo[]>;
  /** When this number changes, the same spec is requested again. */
  readonly repeatCount: ReadonlySignal<number>;
  readonly nameOf: ((id: string) => string) | undefined;
  getShownSpec(): AnySpec | undefined;
}

/** Removes the parameters of the previous encoding if `newFields` sets an encoding. */
function withoutParams(kind: AnyKind, fields: RawFields, newFields: RawFields): RawFields {
  if (newFields.encoding === undefined) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(kind.fields, name)));
}

export function createRequestedSpec(
  kind: AnyKind,
  { rawFields, group, lockedFields, encodings, repeatCount, nameOf = (id) => id, getShownSpec }: RequestedSpecOptions,
): RequestedSpec {
  const ownFields = signal<RawFields>(rawFields);
  /** Changes in linked figures that the page has since overridden. */
  const outdatedFields = signal<RawFields>({});
  const isLinkedField = (name: string): boolean =>
    SHARED_FIELDS.includes(name) &&
    Object.hasOwn(kind.fields, name) &&
    !lockedFields.includes(name) &&
    !kind.unlinkedFields?.includes(name);
  const linkedChanges = computed((): [name: string, value: unknown][] => {
    const outdatedChanges = outdatedFields.value;
    const changes = Object.entries(group?.fieldChanges.value ?? {});
    return changes.filter(
      ([name, value]) => isLinkedField(name) && !(Object.hasOwn(outdatedChanges, name) && Object.is(outdatedChanges[name], value)),
    );
  });
  const linkedFields = computed(
    (): RawFields =>
      Object.fromEntries(linkedChanges.value.filter(([name, value]) => !checkSharedValue(kind, name, value, encodings.value))),
  );
  const rejections = computed(() =>
    // Checks only values from linked figures, not those set in this figure.
    linkedChanges.value.flatMap(([name, value]) =>
      Object.is(ownFields.value[name], value) ? [] : withReplacement(checkSharedValue(kind, name, value, encodings.value)),
    ),
  );
  /** For a rejected encoding, the message also names the encoding that is shown instead. */
  const withReplacement = (rejection: RejectedValue | undefined): readonly RejectedValue[] => {
    const { encoding } = spec.value as { readonly encoding?: { readonly id: string } };
    if (rejection?.encodingId === undefined || !encoding) return rejection ? [rejection] : [];
    return [{ ...rejection, message: STRINGS.instead(nameOf(rejection.encodingId), nameOf(encoding.id)) }];
  };
  const mergedFields = computed((): RawFields => ({ ...withoutParams(kind, ownFields.value, linkedFields.value), ...linkedFields.value }));

  let latestSpec: AnySpec | undefined;
  let handledRepeatCount: number | undefined;
  /** Returns the previous object if the spec has not changed, because a new object triggers a computation. */
  const spec = computed((): AnySpec | SpecError => {
    const isSameRepeat = repeatCount.value === handledRepeatCount;
    handledRepeatCount = repeatCount.value;
    try {
      const nextSpec = readSpec(kind, mergedFields.value);
      latestSpec =
        (isSameRepeat && [getShownSpec(), latestSpec].find((candidate) => candidate && isSameSpec(kind, candidate, nextSpec))) || nextSpec;
      return latestSpec;
    } catch (thrown) {
      if (thrown instanceof SpecError) return thrown;
      throw thrown;
    }
  });

  const replacedValues: { [field: string]: unknown } = {};
  const ownChanges: { [field: string]: unknown } = {};
  /** Remembers the value that a user change replaces, unless that value was itself set by the user. */
  const rememberValue = ([name, value]: [string, unknown]): void => {
    const currentValue = mergedFields.peek()[name];
    if (!Object.hasOwn(ownChanges, name) || currentValue !== ownChanges[name]) replacedValues[name] = currentValue;
    if (replacedValues[name] === value) delete replacedValues[name];
    ownChanges[name] = value;
  };

  return {
    unparsedFields: mergedFields,
    spec,
    rejectedValues: rejections,
    valuesBeforeChange: replacedValues,
    setFields(fields) {
      const changes = group?.fieldChanges.peek() ?? {};
      const names = Object.keys(fields).filter((name) => Object.hasOwn(changes, name));
      batch(() => {
        if (names.length > 0) {
          outdatedFields.value = { ...outdatedFields.peek(), ...Object.fromEntries(names.map((name) => [name, changes[name]])) };
        }
        ownFields.value = { ...ownFields.peek(), ...fields };
      });
    },
    change(fields) {
      const unlockedFields = Object.fromEntries(Object.entries(fields).filter(([name]) => !lockedFields.includes(name)));
      batch(() => {
        Object.entries(unlockedFields).forEach(rememberValue);
        ownFields.value = { ...withoutParams(kind, ownFields.peek(), unlockedFields), ...unlockedFields };
        const sharedEntries = Object.entries(unlockedFields).filter(([name]) => isLinkedField(name));
        if (!group || sharedEntries.length === 0) return;
        outdatedFields.value = Object.fromEntries(
          Object.entries(outdatedFields.peek()).filter(([name]) => !Object.hasOwn(unlockedFields, name)),
        );
        group.fieldChanges.value = { ...group.fieldChanges.peek(), ...Object.fromEntries(sharedEntries) };
      });
    },
  };
}
