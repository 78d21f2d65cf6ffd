// The line of a presentation: the encoding, which can always be changed, its parameters, and the step of the lecture.
import { html, nothing, type TemplateResult } from 'lit';
import type { EncodingInfo } from '../../engine/index.ts';
import { titleOf } from '../descriptions.ts';
import { TOOL_STRINGS as STRINGS } from '../strings.ts';
import { chooseEncoding } from './choose-encoding.ts';
import { stepNow } from './present.ts';

interface Group {
  readonly name: string;
  readonly members: readonly EncodingInfo[];
}

export function presentedLine(now: string, line: string, groups: readonly Group[]): TemplateResult {
  const step = stepNow.value;
  const option = ({ id }: EncodingInfo) => html`<option value=${id} ?selected=${id === now}>${titleOf(id)}</option>`;
  const choose = (event: Event): void => {
    const select = event.target as HTMLSelectElement;
    chooseEncoding(select.value);
    // Removes the focus, so that arrow keys step through the lecture again.
    select.blur();
  };
  return html`<div class="presented">
    <select class="presented-encoding" aria-label=${STRINGS.encoding} .value=${now} @change=${choose}>
      ${groups.map(({ name, members }) => html`<optgroup label=${name}>${members.map(option)}</optgroup>`)}
    </select>
    <span class="muted">${line}</span>
    ${step ? html`<span class="presented-step" role="status" aria-label=${STRINGS.stepLabel(step.at, step.of)}>${STRINGS.step(step.at, step.of)}</span>` : nothing}
  </div>`;
}
