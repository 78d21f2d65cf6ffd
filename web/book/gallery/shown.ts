// Parses the figure that a URL describes: gallery/similarity/?length=8, or gallery/?kind=similarity&length=8.
import type { FigureSpec } from '../../figure/contract/element-types.ts';
import { GALLERY_STRINGS as STRINGS } from '../strings.ts';

export interface FigureRequest {
  readonly spec?: FigureSpec;
  readonly problem?: string;
}

/** Decodes a query string. Returns undefined for an invalid percent escape, because URLSearchParams would silently replace it. */
function decodeQuery(search: string): string | undefined {
  try {
    return decodeURIComponent(search);
  } catch {
    return undefined;
  }
}

/**
 * @param search the query string of the URL
 * @param kind the page's kind of figure. If it is set, `kind` in the query is ignored
 */
export function parseFigureUrl(search: string, kind?: string): FigureRequest {
  if (decodeQuery(search) === undefined) return { problem: STRINGS.malformedUrl };
  const queryFields = new URLSearchParams(search);
  const duplicateName = [...queryFields.keys()].find((name) => queryFields.getAll(name).length > 1);
  if (duplicateName !== undefined) return { problem: STRINGS.duplicateField(duplicateName) };
  const fields = Object.fromEntries(queryFields);
  const [field] = Object.keys(fields);
  if (field === undefined) return {};
  if (kind !== undefined) return { spec: { ...fields, kind } };
  return fields.kind === undefined ? { problem: STRINGS.missingKind(field) } : { spec: { ...fields, kind: fields.kind } };
}
