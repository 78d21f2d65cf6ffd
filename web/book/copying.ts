// Adds a copy button to each code sample.
import { fromRoot } from './site.ts';
import { COPY_STRINGS as STRINGS } from './strings.ts';

const MESSAGE_DURATION_MS = 2000;

/**
 * Copies an element's text to the clipboard. Without the Clipboard API (insecure connections), selects the text and copies the selection.
 * @returns whether the text was copied
 */
async function copyText(text: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(text);
    return document.execCommand('copy');
  }
}

function createCopyButton(program: Element): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = STRINGS.copy;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    button.textContent = (await copyText(program)) ? STRINGS.copied : STRINGS.textSelected;
    setTimeout(() => (button.textContent = STRINGS.copy), MESSAGE_DURATION_MS);
  });
  return button;
}

export function addCopyButtons(): void {
  // Inserts absolute URLs into code samples that are meant for other sites.
  for (const element of document.querySelectorAll<HTMLElement>('[data-here]'))
    element.textContent = fromRoot(element.dataset.here ?? '').href;
  for (const program of document.querySelectorAll('.code > pre')) program.after(createCopyButton(program.querySelector('code') ?? program));
}
