/** Returns the index of the selected query, or of the last word if the sentence is shorter. */
export const clampQuery = ({ query }: { readonly query: number }, length: number): number => Math.min(query, length - 1);
