/** A text in which half of a character, as of an emoji that was cut, is the replacement character: addresses cannot hold the half. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
