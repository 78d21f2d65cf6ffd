// Finds the control at which to show an error. The core reports arguments, but users look at the control that they have just changed.

export interface ControlEdit {
  readonly field: string;
}

/**
 * Returns the control id of an encoding parameter. The prefix distinguishes the parameter from an attention argument with the same name,
 * such as `seed`.
 */
export const paramField = (name: string): string => `param-${name}`;

const getArgument = ({ field }: ControlEdit): string => field.replace(/^param-/, '');

/** Appends an edit and removes earlier edits of the same control. */
export const appendEdit = (edits: readonly ControlEdit[], field: string): readonly ControlEdit[] => [
  ...edits.filter((edit) => edit.field !== field),
  { field },
];

/**
 * Returns the control at which to show an error about the given arguments, most likely cause first. `edits` are the changes since the last
 * computation, newest last. Prefers the newest edit of one of the arguments, then a single edit of any control: for example, selecting an
 * encoding may cause an error about embedDim. Otherwise returns the first argument.
 */
export function findErrorField([firstName = '', ...otherNames]: readonly string[], edits: readonly ControlEdit[]): string {
  const findNewestEdit = (names: readonly string[]) => edits.findLast((edit) => names.includes(getArgument(edit)));
  const cause = findNewestEdit([firstName]) ?? findNewestEdit(otherNames) ?? (edits.length === 1 ? edits[0] : undefined);
  return cause?.field ?? (firstName || 'encoding');
}
