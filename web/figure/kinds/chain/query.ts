/** The last word if the sentence has no such query, so that other and linked sentences need no change. */
export const queryOf = ({ query }: { readonly query: number }, length: number): number => Math.min(query, length - 1);
