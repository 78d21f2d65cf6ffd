// Finds the control at which to show an error. The core names arguments, but users look at the control that they have just changed.

/** A control that the user has changed. */
export interface Edit {
  readonly field: string;
}

/** The control id of an encoding parameter. The prefix distinguishes it from an attention parameter of the same name (seed). */
export const paramField = (name: string): string => `param-${name}`;

const argumentOf = ({ field }: Edit): string => field.replace(/^param-/, '');

/** Appends the newest edit; each control occurs once. */
export const appendEdit = (edits: readonly Edit[], field: string): readonly Edit[] => [
  ...edits.filter((edit) => edit.field !== field),
  { field },
];

/**
 * The control at which to show an error about the arguments `names`, the most likely first. `edits` are the changes since the last
 * computation, newest last. An edit of a named argument is the cause. Otherwise a single edit is the cause, because selecting an encoding may
 * cause an error about embedDim.
 */
export function findErrorField([firstName = '', ...otherNames]: readonly string[], edits: readonly Edit[]): string {
  const newestEditOf = (names: readonly string[]) => edits.findLast((edit) => names.includes(argumentOf(edit)));
  const cause = newestEditOf([firstName]) ?? newestEditOf(otherNames) ?? (edits.length === 1 ? edits[0] : undefined);
  return cause?.field ?? (firstName || 'encoding');
}
