// Exports of a figure: its picture, its data as tensors and CSV, and the code that computes the data.

import type { Picture, Theme } from '../../charts/picture.ts';
import type { Tensor } from '../../engine/index.ts';
import type { PictureOptions } from '../contract/element-types.ts';
import type { DataTable, Language, SourceCode } from '../contract/kind.ts';
import { printSpec, toKebabCase } from '../contract/spec.ts';
import { STRINGS } from '../contract/strings.ts';
import { drawScene } from '../contract/untrained.ts';
import type { View } from '../element/view-state.ts';
import type { Computed, Figure } from '../runtime/controller.ts';
import type { Surface } from '../surface/picture-surface.ts';
import { formatCsv } from './csv.ts';
import { framePicture, type PictureFrame } from './framed.ts';
import { fetchReferences, programsOf } from './programs.ts';

/** Width of the exported picture in px if the figure is not displayed. */
const DEFAULT_WIDTH = 640;
/** Default and maximum margin around a printed picture, px. */
const [MARGIN, MAX_MARGIN] = [24, 1000];
/** Maximum number of characters per field value in the source line. */
const MAX_FIELD_LENGTH = 80;

/** Returns the latest result. If there is none, throws an Error with the reason. */
function requireResults({ figure, latestResult, problem }: View): Computed & { readonly kind: Figure['kind'] } {
  const kind = figure.peek()?.kind;
  const results = latestResult.peek();
  if (!kind || !results) throw new Error(problem.peek() ?? STRINGS.waiting);
  return { kind, ...results };
}

type PrintOptions = PictureOptions & { readonly version: string };

function createFrame(view: View, { version, margin = MARGIN, title = false, source = false }: PrintOptions): PictureFrame {
  if (typeof margin !== 'number' || !(margin >= 0 && margin <= MAX_MARGIN))
    throw new Error(`margin: ${String(margin)} is invalid; expected a number of pixels from 0 to ${MAX_MARGIN}`);
  const { kind, spec } = requireResults(view);
  const fields = Object.entries(printSpec(kind, spec)).map(
    ([name, text]) => `${toKebabCase(name)}="${text.length > MAX_FIELD_LENGTH ? `${text.slice(0, MAX_FIELD_LENGTH)}…` : text}"`,
  );
  return {
    margin,
    title: title ? kind.question : undefined,
    source: source ? `Phasor ${version}: ${[`kind="${kind.id}"`, ...fields].join(' ')}` : undefined,
  };
}

/**
 * Returns the picture that is displayed on `surface`, or draws one at the default width if there is no surface. With
 * `print`, adds a frame for printing.
 */
export function exportPicture(view: View, surface: Surface | undefined, theme: Theme, print?: PrintOptions): Picture {
  const { kind, ...latest } = requireResults(view);
  const encodings = view.figure.peek()?.encodings.peek() ?? [];
  const { picture } = surface?.scene.peek() ?? drawScene(kind, latest, { width: DEFAULT_WIDTH, theme }, encodings);
  return print ? framePicture(picture, createFrame(view, print)) : picture;
}

function tablesOf(view: View): readonly DataTable[] {
  const { kind, results, spec } = requireResults(view);
  return kind.tables(results, spec);
}

export const exportTensors = (view: View): { readonly [name: string]: Tensor } =>
  Object.fromEntries(tablesOf(view).map(({ name, tensor }) => [name, tensor]));

/** @param name name of the table; default: the first table */
export function exportCsv(view: View, name?: string): string {
  const tables = tablesOf(view);
  const table = name === undefined ? tables[0] : tables.find((table) => table.name === name);
  if (!table) throw new Error(`name: “${name}” ${STRINGS.noneOf(tables.map((one) => one.name))}`);
  return formatCsv(table);
}

function loadFigurePrograms(view: View): Promise<SourceCode> {
  const { kind, spec, results } = requireResults(view);
  return programsOf(kind, spec, view.figure.peek()?.encodings.peek() ?? [], results);
}

export async function exportCode(view: View, language: Language): Promise<string> {
  if (language !== 'python' && language !== 'phasor') throw new Error(`language: “${language}” ${STRINGS.noneOf(['python', 'phasor'])}`);
  return (await loadFigurePrograms(view))[language];
}

export async function exportProgramFiles(view: View): Promise<{ readonly [name: string]: Uint8Array }> {
  const [programs, { encodeContent, collectProgramFiles }] = await Promise.all([loadFigurePrograms(view), fetchReferences()]);
  return Object.fromEntries(Object.entries(collectProgramFiles(programs)).map(([name, content]) => [name, encodeContent(content)]));
}
