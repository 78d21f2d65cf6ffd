// JSON from outside: files that readers open, and pasted text.

/**
 * Maximum nesting of lists and objects: model configs have fewer than ten levels, NumPy arrays at most 64. Deeper recursion could exhaust the stack.
 */
export const MAX_DEPTH = 64;

/** Whether lists and objects of a JSON text are nested more than MAX_DEPTH deep. */
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
