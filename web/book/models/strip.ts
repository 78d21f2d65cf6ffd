// Draws the layers of a model as a strip of marks: shapes show the visible context of a layer, colours its positional encoding.
import type { ConfigLayer } from '../../engine/index.ts';

export type VisibleContext = 'full' | 'sliding' | 'chunked' | 'linear' | 'recurrent' | 'conv' | 'none';
/** How a layer encodes positions: the model's main rotation, another rotation, a bias, a table at the input, or not at all. */
export type PositionSource = 'rotation' | 'other-rotation' | 'bias' | 'table' | 'nothing';

export interface LayerMark {
  readonly visibleContext: VisibleContext;
  readonly source: PositionSource;
}

const ROTATIONS = ['rope', 'mrope', 'rope_2d'];
const TABLES = ['learned', 'sinusoidal', 'sinusoidal_grid'];

function getVisibleContext({ type, encoding, window, chunk }: ConfigLayer): VisibleContext {
  if (!encoding) return type === 'recurrent' || type === 'conv' || type === 'none' ? type : 'linear';
  if (chunk !== undefined) return 'chunked';
  return window === undefined ? 'full' : 'sliding';
}

/**
 * Returns one mark per layer. The source is 'rotation' for layers that rotate like the first full-attention layer with a rotation, or, if there is
 * none, like the first layer with a rotation. It is 'other-rotation' for other rotations.
 */
export function createLayerMarks(layers: readonly ConfigLayer[]): readonly LayerMark[] {
  const rotaryLayers = layers.filter(({ encoding }) => encoding && ROTATIONS.includes(encoding.id));
  const mainEncodingJson = JSON.stringify((rotaryLayers.find((layer) => getVisibleContext(layer) === 'full') ?? rotaryLayers[0])?.encoding);
  return layers.map((layer) => {
    const { encoding } = layer;
    const id = encoding?.id ?? 'none';
    const source: PositionSource = ROTATIONS.includes(id)
      ? JSON.stringify(encoding) === mainEncodingJson
        ? 'rotation'
        : 'other-rotation'
      : TABLES.includes(id)
        ? 'table'
        : id === 'none'
          ? 'nothing'
          : 'bias';
    return { visibleContext: getVisibleContext(layer), source };
  });
}

/** In viewBox units: heights of tall and short marks, width and pitch of marks, and the gap between stacks. */
const [FULL_HEIGHT, LOW_HEIGHT, MARK_WIDTH, MARK_PITCH, STACK_GAP] = [30, 11, 8, 11, 8];

const formatRectPath = (x: number, y: number, width: number, height: number): string => `M${x} ${y}h${width}v${height}h${-width}z`;

/** Returns the path of a mark at x. A layer without positions is drawn as an outline, so its path is inset by half the stroke width. */
function formatMarkPath({ visibleContext, source }: LayerMark, x: number): string {
  const inset = source === 'nothing' ? 0.75 : 0;
  const barPath = (y: number, height: number): string => formatRectPath(x + inset, y + inset, MARK_WIDTH - 2 * inset, height - 2 * inset);
  if (visibleContext === 'full') return barPath(0, FULL_HEIGHT);
  if (visibleContext === 'sliding') return barPath(FULL_HEIGHT - LOW_HEIGHT, LOW_HEIGHT);
  if (visibleContext === 'chunked') return barPath(FULL_HEIGHT - LOW_HEIGHT, 4.5) + barPath(FULL_HEIGHT - 4.5, 4.5);
  if (visibleContext === 'linear') return `M${x} ${FULL_HEIGHT - 1}h${MARK_WIDTH}`;
  if (visibleContext === 'recurrent') return `M${x + 0.75} ${FULL_HEIGHT - 4}a3.25 3.25 0 1 1 6.5 0a3.25 3.25 0 1 1-6.5 0`;
  if (visibleContext === 'conv') return `M${x + 1} ${FULL_HEIGHT - 7}l6 6m0-6l-6 6`;
  return `M${x + 3} ${FULL_HEIGHT - 1}h2`;
}

const isAttention = ({ visibleContext }: LayerMark): boolean =>
  visibleContext === 'full' || visibleContext === 'sliding' || visibleContext === 'chunked';
const getClassName = (mark: LayerMark): string => (isAttention(mark) ? mark.source : 'unattended');

/**
 * The strip as SVG, one path per colour.
 * @param stackStarts indices at which another stack begins
 */
export function drawStrip(marks: readonly LayerMark[], stackStarts: readonly number[] = []): string {
  const paths = new Map<string, string>();
  marks.forEach((mark, index) => {
    const x = index * MARK_PITCH + STACK_GAP * stackStarts.filter((stackStart) => stackStart <= index).length;
    const name = getClassName(mark);
    paths.set(name, (paths.get(name) ?? '') + formatMarkPath(mark, x));
  });
  const width = marks.length * MARK_PITCH - (MARK_PITCH - MARK_WIDTH) + STACK_GAP * stackStarts.length;
  const pathElements = [...paths].map(([name, path]) => `<path class="${name}" d="${path}"/>`);
  return `<svg viewBox="0 0 ${width} ${FULL_HEIGHT}" width="${width}" height="${FULL_HEIGHT}" aria-hidden="true">${pathElements.join('')}</svg>`;
}

export function selectDistinctMarks(marks: readonly LayerMark[]): readonly LayerMark[] {
  const serializedMarks = marks.map((mark) => JSON.stringify(mark));
  return marks.filter((_, index) => serializedMarks.indexOf(serializedMarks[index] as string) === index);
}
