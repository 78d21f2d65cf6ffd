// The channels of A in B: two rows of channels and a line for each.
import { html, svg, type TemplateResult } from 'lit';
import { CONVENTION_STRINGS as STRINGS } from './preset-strings.ts';

const CELL = 24;
const LEFT = 20;
const HEIGHT = 92;
const TOP = 20;

/** `order[b]` is the channel of A that is channel b of B. */
export function channelMap(order: readonly number[], about: (count: number) => string): TemplateResult {
  const at = (channel: number): number => LEFT + (channel + 0.5) * CELL;
  const width = LEFT + order.length * CELL;
  const row = (name: string, y: number) => svg`<text class="row-name" x="0" y=${y + 4}>${name}</text>
    ${order.map((_, channel) => svg`<rect x=${at(channel) - 9} y=${y - 9} width="18" height="18" rx="3"></rect><text x=${at(channel)} y=${y + 4}>${channel}</text>`)}`;
  // Draws even and odd channels of A, which are the two channels of its pairs, differently.
  const lines = order.map(
    (from, to) =>
      svg`<path ?data-odd=${from % 2 === 1} d=${`M${at(from)} ${TOP + 10}C${at(from)} ${TOP + 32} ${at(to)} ${HEIGHT - 42} ${at(to)} ${HEIGHT - 20}`}></path>`,
  );
  return html`<figure class="channel-map">
    <figcaption>${STRINGS.channels}. <span class="muted">${about(order.length)}</span></figcaption>
    <svg viewBox=${`0 0 ${width} ${HEIGHT}`} .style=${`max-width: ${width * 1.1}px`} role="img" aria-label=${order.map((a, b) => STRINGS.channel(b, a)).join(', ')}>
      ${lines}${row(STRINGS.inA, TOP)}${row(STRINGS.inB, HEIGHT - 10)}
    </svg>
  </figure>`;
}
