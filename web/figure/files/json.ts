// JSON from outside: files that readers open, and text that they paste.

/**
 * Levels of lists and objects that are read: configurations of models have fewer than ten, arrays of NumPy at most 64. What follows a value down
 * its levels would end where the stack does.
 */
export const MAX_DEPTH = 64;

/** Whether lists and objects of a JSON text are in each other more than MAX_DEPTH deep. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (isInText) {
      if (letter === '\\') at += 1;
      else if (letter === '"') isInText = false;
    } else if (letter === '"') isInText = true;
    else if (letter === '[' || letter === '{') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (letter === ']' || letter === '}') depth -= 1;
  }
  return false;
}
