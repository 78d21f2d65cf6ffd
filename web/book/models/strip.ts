// The layers of a model as a strip: a mark per layer, whose height shows the visible context, and whose colour shows the positional encoding.
import type { ConfigLayer } from '../../engine/index.ts';

/** The visible keys of a layer. */
export type VisibleContext = 'full' | 'sliding' | 'chunked' | 'linear' | 'recurrent' | 'conv' | 'none';
/** The positional encoding of a layer: a rotation, another rotation, a bias, a table at the input, or none. */
export type PositionSource = 'rotation' | 'other-rotation' | 'bias' | 'table' | 'nothing';

export interface LayerMark {
  readonly reach: VisibleContext;
  readonly source: PositionSource;
}

const ROTATIONS = ['rope', 'mrope', 'rope_2d'];
const TABLES = ['learned', 'sinusoidal', 'sinusoidal_grid'];

function reachOf({ type, encoding, window, chunk }: ConfigLayer): VisibleContext {
  if (!encoding) return type === 'recurrent' || type === 'conv' || type === 'none' ? type : 'linear';
  if (chunk !== undefined) return 'chunked';
  return window === undefined ? 'full' : 'sliding';
}

/** The marks of layers. `rotation` is the rotation of layers with full attention. */
export function marksOf(layers: readonly ConfigLayer[]): readonly LayerMark[] {
  const rotaryLayers = layers.filter(({ encoding }) => encoding && ROTATIONS.includes(encoding.id));
  const first = JSON.stringify((rotaryLayers.find((layer) => reachOf(layer) === 'full') ?? rotaryLayers[0])?.encoding);
  return layers.map((layer) => {
    const { encoding } = layer;
    const id = encoding?.id ?? 'none';
    const source: PositionSource = ROTATIONS.includes(id)
      ? JSON.stringify(encoding) === first
        ? 'rotation'
        : 'other-rotation'
      : TABLES.includes(id)
        ? 'table'
        : id === 'none'
          ? 'nothing'
          : 'bias';
    return { reach: reachOf(layer), source };
  });
}

/** Heights of a full and of a low mark, width and pitch of a layer, and the gap between two stacks, in units of the viewBox. */
const [HIGH, LOW, WIDE, PITCH, GAP] = [30, 11, 8, 11, 8];

const rect = (x: number, y: number, width: number, height: number): string => `M${x} ${y}h${width}v${height}h${-width}z`;

/** The outline of a mark at x. Marks without positions are stroked, so their outline is inset by half a stroke. */
function outline({ reach, source }: LayerMark, x: number): string {
  const rim = source === 'nothing' ? 0.75 : 0;
  const bar = (y: number, height: number): string => rect(x + rim, y + rim, WIDE - 2 * rim, height - 2 * rim);
  if (reach === 'full') return bar(0, HIGH);
  if (reach === 'sliding') return bar(HIGH - LOW, LOW);
  if (reach === 'chunked') return bar(HIGH - LOW, 4.5) + bar(HIGH - 4.5, 4.5);
  if (reach === 'linear') return `M${x} ${HIGH - 1}h${WIDE}`;
  if (reach === 'recurrent') return `M${x + 0.75} ${HIGH - 4}a3.25 3.25 0 1 1 6.5 0a3.25 3.25 0 1 1-6.5 0`;
  if (reach === 'conv') return `M${x + 1} ${HIGH - 7}l6 6m0-6l-6 6`;
  return `M${x + 3} ${HIGH - 1}h2`;
}

const isAttention = ({ reach }: LayerMark): boolean => reach === 'full' || reach === 'sliding' || reach === 'chunked';
const classOf = (mark: LayerMark): string => (isAttention(mark) ? mark.source : 'unattended');

/**
 * The strip as SVG, one path per colour.
 * @param breaks indices at which another stack begins
 */
export function stripSvg(marks: readonly LayerMark[], breaks: readonly number[] = []): string {
  const paths = new Map<string, string>();
  marks.forEach((mark, at) => {
    const x = at * PITCH + GAP * breaks.filter((place) => place <= at).length;
    const name = classOf(mark);
    paths.set(name, (paths.get(name) ?? '') + outline(mark, x));
  });
  const width = marks.length * PITCH - (PITCH - WIDE) + GAP * breaks.length;
  const drawn = [...paths].map(([name, path]) => `<path class="${name}" d="${path}"/>`);
  return `<svg viewBox="0 0 ${width} ${HIGH}" width="${width}" height="${HIGH}" aria-hidden="true">${drawn.join('')}</svg>`;
}

/** The distinct marks of a strip, in order. */
export function kindsOf(marks: readonly LayerMark[]): readonly LayerMark[] {
  const prints = marks.map((mark) => JSON.stringify(mark));
  return marks.filter((_, at) => prints.indexOf(prints[at] as string) === at);
}
