// A small diagram of attention, with the injection point of the encoding highlighted.
import { type SVGTemplateResult, svg } from 'lit';
import type { Injection } from '../../engine/index.ts';

/** A step of attention: label, position, and the injection points for which it is highlighted. */
interface Step {
  readonly word: string;
  readonly x: number;
  readonly y: number;
  readonly wide: number;
  readonly highlightedFor: readonly Injection[];
}

const STEPS: readonly Step[] = [
  { word: 'words', x: 25, y: 42, wide: 48, highlightedFor: ['input'] },
  { word: 'q', x: 76, y: 13, wide: 22, highlightedFor: ['query_key'] },
  { word: 'k', x: 76, y: 42, wide: 22, highlightedFor: ['query_key', 'key_value'] },
  { word: 'v', x: 76, y: 71, wide: 22, highlightedFor: ['key_value'] },
  { word: 'scores', x: 130, y: 27, wide: 52, highlightedFor: ['score', 'score_content'] },
  { word: 'weights', x: 201, y: 27, wide: 58, highlightedFor: [] },
  { word: 'outputs', x: 201, y: 71, wide: 58, highlightedFor: [] },
];

const PATHS = [
  'M49,42L65,13',
  'M49,42L65,42',
  'M49,42L65,71',
  'M87,13L104,25',
  'M87,42L104,29',
  'M156,27L172,27',
  'M87,71L172,71',
  'M201,38L201,60',
];

export function diagram(injection: Injection | undefined): SVGTemplateResult {
  const step = ({ word, x, y, wide, highlightedFor }: Step) => {
    const on = injection !== undefined && highlightedFor.includes(injection);
    return svg`<g class=${on ? 'step lit' : 'step'}>
      <rect x=${x - wide / 2} y=${y - 11} width=${wide} height="22" rx="3"></rect>
      <text x=${x} y=${y} dy="0.34em" text-anchor="middle">${word}</text>
    </g>`;
  };
  return svg`<svg class="diagram" viewBox="0 0 231 84" width="231" height="84" role="img"
    aria-label="Words are projected to queries, keys and values; queries and keys give scores, scores give weights, weights and values give outputs.">
    ${PATHS.map((d) => svg`<path d=${d}></path>`)}
    ${STEPS.map(step)}
  </svg>`;
}
