// What a chapter is called where only its number is said.

/** Chapter 0 is the whole book in short, and goes by its name. @param {{ number: string, short: string }} chapter */
export const chapterName = ({ number, short }) => (number === '0' ? short : `Chapter ${number}`);
