/** The selected query, limited to the last word of a shorter sentence. */
export const clampQuery = ({ query }: { readonly query: number }, length: number): number => Math.min(query, length - 1);
