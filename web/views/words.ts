// The words that pictures write and say by themselves, in one place, so that a language can be added without touching a view. What a picture
// is about comes with its numbers, from the words of its kind.

export const HEAD_MAP_WORDS = {
  head: (head: number) => `head ${head}`,
  description: (heads: string, chosen: number) => `Small maps of ${heads}; head ${chosen} is chosen.`,
} as const;
