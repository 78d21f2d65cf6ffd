// A copy button at each program.
import { fromRoot } from './site.ts';
import { COPY_STRINGS as STRINGS } from './strings.ts';

/** Duration of the button's confirmation, ms. */
const MESSAGE_MS = 2000;

/** Copies a text. Without a secure connection, and so without the Clipboard API, the text is selected and copied. */
async function copied(text: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(text);
    return document.execCommand('copy');
  }
}

function buttonFor(program: Element): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = STRINGS.copy;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    button.textContent = (await copied(program)) ? STRINGS.copied : STRINGS.selected;
    setTimeout(() => (button.textContent = STRINGS.copy), MESSAGE_MS);
  });
  return button;
}

export function copying(): void {
  // Code for other pages contains the URL of this site.
  for (const place of document.querySelectorAll<HTMLElement>('[data-here]')) place.textContent = fromRoot(place.dataset.here ?? '').href;
  for (const program of document.querySelectorAll('.code > pre')) program.after(buttonFor(program.querySelector('code') ?? program));
}
