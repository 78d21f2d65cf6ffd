// A small diagram of attention, with the injection point of the encoding highlighted.
import { type SVGTemplateResult, svg } from 'lit';
import type { Injection } from '../../engine/index.ts';

/** A step of attention: its label, its position, and the injection points at which it is highlighted. */
interface Step {
  readonly word: string;
  readonly x: number;
  readonly y: number;
  readonly wide: number;
  readonly lit: readonly Injection[];
}

const STEPS: readonly Step[] = [
  { word: 'words', x: 24, y: 44, wide: 48, lit: ['input'] },
  { word: 'q', x: 92, y: 14, wide: 22, lit: ['query_key'] },
  { word: 'k', x: 92, y: 44, wide: 22, lit: ['query_key', 'key_value'] },
  { word: 'v', x: 92, y: 74, wide: 22, lit: ['key_value'] },
  { word: 'scores', x: 154, y: 29, wide: 50, lit: ['score', 'score_content'] },
  { word: 'weights', x: 226, y: 29, wide: 56, lit: [] },
  { word: 'outputs', x: 294, y: 74, wide: 56, lit: [] },
];

const PATHS = [
  'M48,44L81,14',
  'M48,44L81,44',
  'M48,44L81,74',
  'M103,14L129,27',
  'M103,44L129,31',
  'M179,29L198,29',
  'M103,74L266,74',
  'M226,39L266,69',
];

export function diagram(injection: Injection | undefined): SVGTemplateResult {
  const step = ({ word, x, y, wide, lit }: Step) => {
    const on = injection !== undefined && lit.includes(injection);
    return svg`<g class=${on ? 'step lit' : 'step'}>
      <rect x=${x - wide / 2} y=${y - 10} width=${wide} height="20" rx="3"></rect>
      <text x=${x} y=${y} dy="0.34em" text-anchor="middle">${word}</text>
    </g>`;
  };
  return svg`<svg class="diagram" viewBox="0 0 322 88" width="322" height="88" role="img"
    aria-label="Words are projected to queries, keys and values; queries and keys give scores, scores give weights, weights and values give outputs.">
    ${PATHS.map((d) => svg`<path d=${d}></path>`)}
    ${STEPS.map(step)}
  </svg>`;
}
