// Spells common words that have no word vector with words that have one: "isn't" as "is" and "not", "7" as "seven".

const SPELLED: { readonly [word: string]: string } = {
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

const DIGITS = ['number', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const ENDINGS: readonly (readonly [ending: RegExp, spelled: string])[] = [
  [/n't$/, ' not'],
  [/'re$/, ' are'],
  [/'ll$/, ' will'],
  [/'ve$/, ' have'],
  [/'m$/, ' am'],
  [/'d$/, ' would'],
];
/** Words after which 's means "is"; after other words it is a possessive. */
const IS = ['it', 'he', 'she', 'that', 'there', 'what', 'who', 'where', 'here'];

/** The words whose vectors represent a lower-case word; the word itself if it has no other spelling. */
export function spelledOut(word: string): readonly string[] {
  const plain = word.replaceAll(/[’‘]/g, "'");
  if (Object.hasOwn(SPELLED, plain)) return (SPELLED[plain] as string).split(' ');
  if (/^\d+$/.test(plain)) {
    // A number with four digits is usually a year.
    const year = plain.length === 4 && Number(plain) >= 1000 && Number(plain) <= 2100;
    return [year ? 'year' : (DIGITS[Number(plain)] ?? 'number')];
  }
  for (const [ending, spelled] of ENDINGS) if (ending.test(plain)) return plain.replace(ending, spelled).replace(/^i /, 'me ').split(' ');
  const owner = /^(.+)'s$/.exec(plain)?.[1];
  if (owner !== undefined) return IS.includes(owner) ? [owner, 'is'] : [owner];
  return [plain];
}
