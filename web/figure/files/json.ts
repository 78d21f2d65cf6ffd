// Checks the nesting depth of JSON from files and pasted text.

/**
 * Maximum nesting depth. Model configs have fewer than ten levels and NumPy arrays at most 64. Deeper recursion could
 * exhaust the stack.
 */
export const MAX_DEPTH = 64;

export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return false;
}
