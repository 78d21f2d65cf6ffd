// Adds a note below a picture if its encoding has untrained parameters.

import { formatId } from '../../charts/english.ts';
import type { Frame, Scene } from '../../charts/scene.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { EncodingSpec } from './fields.ts';
import { createParamReader, isUsed } from './parameters.ts';
import type { AnyKind } from './registry.ts';
import { STRINGS } from './strings.ts';

/** In px. */
const LINE_HEIGHT = 22;
const FONT_SIZE = 13;

/** Whether the spec leaves a learned tensor of the encoding unset, which then has its initial values. */
const isUntrained = ({ id: _, ...params }: EncodingSpec, info: EncodingInfo): boolean =>
  info.learned && info.params.some((param) => param.kind === 'tensor' && isUsed(param, info, params) && params[param.name] === undefined);

export const usesTrainedModel = ({ isTrained = false }: Pick<AnyKind, 'isTrained'>, spec: { readonly [field: string]: unknown }): boolean =>
  isTrained || spec.projections === 'trained';

/** Returns a note about encodings with untrained parameters, or undefined if there are none. */
export function formatUntrainedNote(
  kind: Pick<AnyKind, 'fields' | 'isTrained'>,
  spec: { readonly [field: string]: unknown },
  encodings: readonly EncodingInfo[],
): string | undefined {
  if (usesTrainedModel(kind, spec) || spec.rows === 'bert') return undefined;
  const providedEncodings = Object.entries(kind.fields)
    .filter(([, { control }]) => control.kind === 'encoding')
    .map(([name, field]) => (typeof spec[name] === 'string' ? field.read(spec[name]) : spec[name]) as EncodingSpec);
  const untrainedEncodings = providedEncodings.flatMap((encoding) => {
    const info = encodings.find(({ id }) => id === encoding?.id);
    return info && isUntrained(encoding, info) ? [{ encoding, info }] : [];
  });
  const [firstUntrained] = untrainedEncodings;
  if (!firstUntrained) return undefined;
  const seed = createParamReader(firstUntrained.encoding, firstUntrained.info)('seed');
  return STRINGS.untrained(
    providedEncodings.length > 1 ? untrainedEncodings.map(({ encoding }) => formatId(encoding.id)) : [],
    seed === undefined ? undefined : Number(seed),
  );
}

/** Draws a figure's scene with the note below it, within the available height. */
export function drawScene(
  kind: AnyKind,
  { results, spec }: { readonly results: unknown; readonly spec: { readonly [field: string]: unknown } },
  frame: Frame,
  encodings: readonly EncodingInfo[],
): Scene {
  // Custom HTML takes up the whole height. The note is then displayed below the element.
  const note = kind.surface ? undefined : formatUntrainedNote(kind, spec, encodings);
  if (note === undefined) return kind.scene(results, spec, frame);
  const scene = kind.scene(results, spec, frame.maxHeight === undefined ? frame : { ...frame, maxHeight: frame.maxHeight - LINE_HEIGHT });
  const { picture } = scene;
  const noteMark = { kind: 'text', tone: 'muted', size: FONT_SIZE, x: 0, y: picture.height + LINE_HEIGHT - 7, text: note } as const;
  return {
    ...scene,
    picture: {
      ...picture,
      height: picture.height + LINE_HEIGHT,
      description: `${picture.description} ${note}`,
      marks: [...picture.marks, noteMark],
    },
  };
}
