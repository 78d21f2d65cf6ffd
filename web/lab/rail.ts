// <ph-rail>: the encodings, grouped by where they enter attention.
import { html, nothing } from 'lit';
import { encodingWords } from '../encodings/words.ts';
import type { EncodingInfo, Injection, Params } from '../engine/index.ts';
import { diagram } from './diagram.ts';
import { LabElement } from './element.ts';
import { faultAt } from './fault.ts';
import { change, encoding, engine, state } from './store.ts';

/** Where position enters, in the order in which attention comes by. */
const GROUPS: readonly { readonly injection: Injection; readonly name: string }[] = [
  { injection: 'none', name: 'nowhere' },
  { injection: 'input', name: 'added to the words' },
  { injection: 'query_key', name: 'in queries and keys' },
  { injection: 'score', name: 'in the scores' },
  { injection: 'score_content', name: 'in the scores, by content' },
  { injection: 'key_value', name: 'in keys and values' },
];

/** Parameters of encodings chosen before, for when the reader comes back. */
const kept = new Map<string, Params>();

function chooseEncoding(id: string): void {
  kept.set(state.peek().encoding, state.peek().params);
  change({ encoding: id, params: kept.get(id) ?? {} }, 'encoding');
}

export class Rail extends LabElement {
  protected override render() {
    const encodings = engine.value?.encodings ?? [];
    return html`
      <div class="rail">
        <div class="groups" role="radiogroup" aria-label="Positional encoding">
          ${GROUPS.map(({ injection, name }) =>
            this.group(
              name,
              encodings.filter((one) => one.injection === injection),
            ),
          )}
        </div>
        ${encodings.length > 0 ? diagram(encoding.value?.injection) : nothing}
      </div>
      ${faultAt('encoding')}`;
  }

  private group(name: string, members: readonly EncodingInfo[]) {
    if (members.length === 0) return nothing;
    return html`<div class="group"><span class="group-name">${name}</span><span class="choices">
      ${members.map(
        ({ id }) => html`<label class="choice">
        <input type="radio" name="encoding" value=${id} .checked=${id === state.value.encoding} @change=${() => chooseEncoding(id)}>
        <span>${encodingWords[id]?.title ?? id}</span>
      </label>`,
      )}
    </span></div>`;
  }
}
