// <ph-save>: saves the Lab with its current state as a single file for offline use.
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { saveOffline } from '../../service-worker/save-offline.ts';
import { SITE_COPY_STRINGS } from '../../service-worker/strings.ts';
import { LabElement } from '../element.ts';
import { currentLink } from './address.ts';
import { isSite } from './is-site.ts';

export class SaveFile extends LabElement {
  private readonly announcement = signal<string | undefined>(undefined);

  protected override render() {
    // The files to save exist only on the website.
    if (!isSite()) return nothing;
    return html`<button type="button" class="plain" @click=${this.save}>${SITE_COPY_STRINGS.saveForOffline}</button>
      <span role="status">${this.announcement.value ?? nothing}</span>`;
  }

  private readonly save = async (): Promise<void> => {
    this.announcement.value = SITE_COPY_STRINGS.preparingDownload;
    this.announcement.value = await saveOffline('lab.html', currentLink());
  };
}
