// What the core refuses, in the terms of the Lab: it names arguments, of which a control may have another name, and not what would be accepted.
import { either } from '../../views/english.ts';

const divisorsOf = (width: number): string[] =>
  Array.from({ length: width }, (_, at) => at + 1)
    .filter((count) => width % count === 0)
    .map(String);

/** The message of the core, or what the Lab says instead. */
export const refusalOf = (message: string): string =>
  message
    .replace(
      /^heads: (\d+) do not divide the width (\d+)$/,
      (_, heads: string, width: string) =>
        `heads: the width ${width} is not divisible by ${heads}; try ${either.format(divisorsOf(Number(width)))}`,
    )
    // The first word stands at the offset.
    .replace(/^positions\[\d+\]: /, 'offset: position ');
