export const words = {
  noPairs: (id: string) => `encoding: ${id} is not made of pairs of a sine and a cosine`,
  noRoom: (columns: number) => `width: ${columns} is too narrow for a pair of a sine and a cosine`,
} as const;
