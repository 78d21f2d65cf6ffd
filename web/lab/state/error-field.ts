// Finds the control at which an error is shown. The core names arguments, but users look at the control that they have just changed.

export interface Edit {
  readonly field: string;
}

/**
 * Returns the control id of an encoding parameter. The prefix distinguishes it from an attention parameter with the same name, such as
 * `seed`.
 */
export const paramField = (name: string): string => `param-${name}`;

const argumentOf = ({ field }: Edit): string => field.replace(/^param-/, '');

/** Adds the newest edit. Each control occurs only once in the list. */
export const appendEdit = (edits: readonly Edit[], field: string): readonly Edit[] => [
  ...edits.filter((edit) => edit.field !== field),
  { field },
];

/**
 * Returns the control at which to show an error about these arguments, of which the first is the most likely cause. `edits` are the changes
 * since the last computation, newest last. An edit of one of the arguments is the cause. Otherwise a single edit is the cause: selecting an
 * encoding, for example, may cause an error about embedDim.
 */
export function findErrorField([firstName = '', ...otherNames]: readonly string[], edits: readonly Edit[]): string {
  const newestEditOf = (names: readonly string[]) => edits.findLast((edit) => names.includes(argumentOf(edit)));
  const cause = newestEditOf([firstName]) ?? newestEditOf(otherNames) ?? (edits.length === 1 ? edits[0] : undefined);
  return cause?.field ?? (firstName || 'encoding');
}
