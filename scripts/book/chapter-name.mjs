/**
 * The name of a chapter in references. Chapter 0, a summary of the book, is referred to by its short title.
 * @param {{ number: string, short: string }} chapter
 */
export const chapterName = ({ number, short }) => (number === '0' ? short : `Chapter ${number}`);
