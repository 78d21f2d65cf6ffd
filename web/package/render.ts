// phasor/render: renders figures as SVG in Node, without a DOM. The same code draws figures in the browser.
import { readFile } from 'node:fs/promises';
import { toSvg } from '../charts/render/svg.ts';
import { diagnoseWith } from '../engine/doctor/diagnose.ts';
import { argumentError } from '../engine/errors.ts';
import { createPhasor, type Phasor, PhasorError } from '../engine/node.ts';
import { kinds } from '../figure/contract/all-kinds.ts';
import { parseSettings } from '../figure/contract/attributes.ts';
import type { Diagnose } from '../figure/contract/context.ts';
import type { Engine, KindContext } from '../figure/contract/kind.ts';
import { readSpec, SpecError } from '../figure/contract/spec.ts';
import { STRINGS } from '../figure/contract/strings.ts';
import { createLook } from '../figure/contract/theme.ts';
import { drawScene } from '../figure/contract/untrained.ts';
import { PhotographFile } from '../figure/runtime/photographs.ts';
import { toAsyncEngine } from '../figure/runtime/promised-engine.ts';
import { WordVectors } from '../sentence/word-vectors.ts';
import { renderFigureTag } from './figure-tag.ts';
import { toPngUrl } from './png.ts';
import type { RenderFigure, RenderHTML, RenderOptions, RenderSpec } from './render-types.ts';

const indexUrl = new URL(/* @vite-ignore */ './word-vectors.json', import.meta.url);
const rowsUrl = new URL(/* @vite-ignore */ './word-vectors-64.i8', import.meta.url);
const readFromDisk = async (url: string | URL): Promise<Response> => new Response(await readFile(url));
const vocabulary = new WordVectors({ index: indexUrl, rows: rowsUrl }, readFromDisk);
const photographs = new PhotographFile(new URL(/* @vite-ignore */ './photographs.json', import.meta.url), readFromDisk);

let pendingEngine: Promise<Engine> | undefined;
const startEngine = (): Promise<Engine> => {
  // 'auto' may select a variant that fuses multiply-adds. With 'simd', pictures are the same on every machine.
  pendingEngine ??= createPhasor({ variant: 'simd' }).then(toAsyncEngine, (thrown: unknown) => {
    pendingEngine = undefined;
    throw thrown;
  });
  return pendingEngine;
};

/** Diagnoses need a separate engine, because the methods of the figures' engine return promises. */
let diagnosisEngine: Promise<Phasor> | undefined;
const diagnose: Diagnose = async (request) => {
  diagnosisEngine ??= createPhasor({ variant: 'simd' });
  return diagnoseWith(await diagnosisEngine, request);
};

const THEMES = ['light', 'dark'];
const SIZE_LIMITS_PX = { min: 40, max: 8192 };

function checkFrame({ theme = 'light', width = 640, maxHeight, ...unknownOptions }: RenderOptions) {
  const [unknownOption] = Object.keys(unknownOptions);
  if (unknownOption !== undefined)
    throw new PhasorError('unknown_name', `${unknownOption}: unknown option; expected theme, width or maxHeight`, {
      argument: unknownOption,
    });
  if (theme !== 'light' && theme !== 'dark')
    throw argumentError('theme', `“${String(theme)}” ${STRINGS.noneOf(THEMES)}`, { value: String(theme), allowed: THEMES });
  for (const [name, size] of Object.entries({ width, maxHeight: maxHeight ?? 480 })) {
    if (!(typeof size === 'number' && size >= SIZE_LIMITS_PX.min && size <= SIZE_LIMITS_PX.max))
      throw argumentError(name, `${String(size)} ${STRINGS.outside(SIZE_LIMITS_PX.min, SIZE_LIMITS_PX.max)}`, {
        value: size,
        allowed: SIZE_LIMITS_PX,
      });
  }
  return { theme, width, maxHeight };
}

async function computeFigure({ kind: id, ...fields }: RenderSpec, options: RenderOptions, background?: string) {
  const frame = checkFrame(options);
  const kind = kinds[id];
  if (!kind)
    throw new PhasorError('unknown_name', STRINGS.unknownKind(String(id), Object.keys(kinds)), {
      argument: 'kind',
      allowed: Object.keys(kinds),
    });
  try {
    const spec = readSpec(kind, fields);
    const context: KindContext = { engine: await startEngine(), vocabulary, photographs, diagnose };
    const results = await kind.compute(spec, context);
    const { palette } = createLook(frame.theme);
    const { picture } = drawScene(kind, { results, spec }, frame, context.engine.encodings);
    const svg = toSvg(picture, toPngUrl, { ...palette, ground: background ?? palette.ground });
    return { kind, spec, results, svg, theme: frame.theme, settings: parseSettings(() => null), encodings: context.engine.encodings };
  } catch (thrown) {
    throw thrown instanceof SpecError
      ? new PhasorError('invalid_argument', thrown.message, { argument: thrown.field })
      : PhasorError.from(thrown);
  }
}

export const renderFigure: RenderFigure = async (spec, options = {}) => (await computeFigure(spec, options)).svg;

/** As in the live figure, the picture has no background, so that the page's background is visible. */
export const renderHTML: RenderHTML = async (spec, options = {}) => renderFigureTag(await computeFigure(spec, options, 'none'));

/** The name of renderHTML in version 0.1. It is not in the types. */
export const renderTag = (): never => {
  throw new PhasorError('unknown_name', 'renderTag was renamed to renderHTML');
};
