/** The last word if a query is beyond it, so that linked figures and other sentences need no other one. */
export const queryOf = ({ query }: { readonly query: number }, length: number): number => Math.min(query, length - 1);
