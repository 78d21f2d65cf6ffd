// <ph-copy>: copies a link to the current state. The button is in the header if there is space, and in the footer on a
// phone.
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { LabElement } from '../element.ts';
import { isNarrow } from '../state/ui-state.ts';
import { TOOL_STRINGS as STRINGS } from '../strings.ts';
import { currentAddress } from './address.ts';

/**
 * Copies text to the clipboard.
 * @returns the message to display
 */
export async function copyToClipboard(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return STRINGS.copied;
  } catch {
    return STRINGS.copyBlocked;
  }
}

const MESSAGE_DURATION_MS = 3000;

export class CopyLink extends LabElement {
  private readonly copyMessage = signal<string | undefined>(undefined);

  protected override render() {
    this.hidden = isNarrow.value !== (this.closest('footer') !== null);
    return html`<button type="button" class="plain" @click=${this.copy}>${STRINGS.copyLink}</button>
      <span class="copied" role="status">${this.copyMessage.value ?? nothing}</span>`;
  }

  private readonly copy = async (): Promise<void> => {
    this.copyMessage.value = await copyToClipboard(currentAddress());
    setTimeout(() => {
      this.copyMessage.value = undefined;
    }, MESSAGE_DURATION_MS);
  };
}
