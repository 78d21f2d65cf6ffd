// Copies a text, and says in a word or two whether the browser allowed it.
import { TOOL_WORDS as WORDS } from '../strings.ts';

export async function copyText(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return WORDS.copied;
  } catch {
    return WORDS.notCopied;
  }
}
