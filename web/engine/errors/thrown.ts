/** What a thrown value says: any value may be thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? `${thrown.message}` : String(thrown));
