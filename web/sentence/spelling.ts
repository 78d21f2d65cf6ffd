// Replaces common words that have no word vector with words that have one: "isn't" with "is" and "not", "7" with "seven".

const SPELLINGS: { readonly [word: string]: string } = {
  a: 'an',
  i: 'me',
  "can't": 'can not',
  "won't": 'will not',
  cannot: 'can not',
  "let's": 'let us',
  '&': 'and',
  '%': 'percent',
  $: 'dollar',
  '…': '.',
  '“': '"',
  '”': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
};

const DIGIT_WORDS = ['number', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const ENDING_REPLACEMENTS: readonly (readonly [ending: RegExp, spelled: string])[] = [
  [/n't$/, ' not'],
  [/'re$/, ' are'],
  [/'ll$/, ' will'],
  [/'ve$/, ' have'],
  [/'m$/, ' am'],
  [/'d$/, ' would'],
];
/** Words after which 's means "is". After other words, 's is a possessive. */
const WORDS_BEFORE_IS = ['it', 'he', 'she', 'that', 'there', 'what', 'who', 'where', 'here'];

/** Returns the words whose vectors are used for a lower-case word. A word without a replacement is returned unchanged. */
export function spellOut(word: string): readonly string[] {
  const normalizedWord = word.replaceAll(/[’‘]/g, "'");
  if (Object.hasOwn(SPELLINGS, normalizedWord)) return (SPELLINGS[normalizedWord] as string).split(' ');
  if (/^\d+$/.test(normalizedWord)) {
    // Numbers from 1000 to 2100 are usually years.
    const isYear = normalizedWord.length === 4 && Number(normalizedWord) >= 1000 && Number(normalizedWord) <= 2100;
    return [isYear ? 'year' : (DIGIT_WORDS[Number(normalizedWord)] ?? 'number')];
  }
  for (const [ending, spelled] of ENDING_REPLACEMENTS)
    if (ending.test(normalizedWord)) return normalizedWord.replace(ending, spelled).replace(/^i /, 'me ').split(' ');
  const wordBeforeS = /^(.+)'s$/.exec(normalizedWord)?.[1];
  if (wordBeforeS !== undefined) return WORDS_BEFORE_IS.includes(wordBeforeS) ? [wordBeforeS, 'is'] : [wordBeforeS];
  return [normalizedWord];
}
