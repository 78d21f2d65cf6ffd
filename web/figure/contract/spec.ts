// Parses a figure's fields, which come from attributes, links or objects, into a spec. Also prints specs.
import { escapeMarkup } from '../../charts/escaped.ts';
import { type EncodingSpec, FieldError, type FieldTable, parseParamInput, type SpecOf } from './fields.ts';
import { findNewName, RENAMED_ATTRIBUTES, RENAMED_FIELDS } from './renamed.ts';
import { STRINGS } from './strings.ts';

/** Unparsed fields, by name in camel case. Values from attributes are strings. */
export type RawFields = { readonly [name: string]: unknown };

interface KindFields<Fields extends FieldTable> {
  readonly id: string;
  readonly fields: Fields;
}

/** An error about one field of a figure. */
export class SpecError extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Converts 'base-width' to 'baseWidth'. Names such as 'short_factor' are not changed. */
export const toCamelCase = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
/**
 * Converts a parameter name to the core's spelling. An attribute 'short-factor' is 'shortFactor' in a spec and 'short_factor' in the core.
 */
const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const hasEncodingField = (fields: FieldTable): boolean => fields.encoding?.control.kind === 'encoding';

/**
 * Lists the names that are not fields but encoding parameters. A parameter with the same name as a field, such as `length` of xpos, must be
 * set in the `encoding` field: encoding="xpos length=512".
 */
const listParamNames = (fields: FieldTable, rawFields: RawFields): string[] =>
  hasEncodingField(fields) ? Object.keys(rawFields).filter((name) => !Object.hasOwn(fields, name)) : [];

/** Parses a figure's fields. Throws a SpecError for the first field that is unknown or invalid. */
export function readSpec<Fields extends FieldTable>({ id, fields }: KindFields<Fields>, input: RawFields): SpecOf<Fields> {
  for (const name of Object.keys(input)) {
    if (input[name] === undefined || Object.hasOwn(fields, name)) continue;
    const field = findNewName(RENAMED_FIELDS, name);
    const newName = field !== undefined && Object.hasOwn(fields, field) ? toKebabCase(field) : findNewName(RENAMED_ATTRIBUTES, name);
    if (newName !== undefined) throw new SpecError(name, STRINGS.renamed(name, newName));
  }
  const params = listParamNames(fields, input).filter((name) => input[name] !== undefined);
  for (const name of Object.keys(input)) {
    if (input[name] !== undefined && !Object.hasOwn(fields, name) && !params.includes(name))
      throw new SpecError(name, STRINGS.unknownField(id, name, Object.keys(fields)));
  }
  const spec: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (input[name] === undefined) {
      spec[name] = field.initial;
      continue;
    }
    spec[name] = withFieldName(name, () => field.read(input[name]));
  }
  if (params.length > 0) {
    const encodingParams = Object.fromEntries(
      params.map((name) => [toSnakeCase(name), withFieldName(name, () => parseParamInput(input[name]))]),
    );
    spec.encoding = { ...(spec.encoding as EncodingSpec), ...encodingParams };
  }
  return spec as SpecOf<Fields>;
}

/** Returns the parsed fields with defaults. If any field is invalid, returns the raw fields unchanged. */
export function fillDefaults(kind: KindFields<FieldTable>, rawFields: RawFields): RawFields {
  try {
    return readSpec(kind, rawFields);
  } catch (thrown) {
    if (thrown instanceof SpecError) return rawFields;
    throw thrown;
  }
}

function withFieldName<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof FieldError) throw new SpecError(name, `${name}: ${thrown.message}`);
    throw thrown;
  }
}

const isSameValue = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [names, otherNames] = [Object.keys(a), Object.keys(b)];
  return names.length === otherNames.length && names.every((name) => Object.is(a[name as keyof typeof a], b[name as keyof typeof b]));
};

/**
 * Whether two specs of the same kind have equal values. Objects and arrays are compared shallowly: their members, such as the data of a
 * tensor or the tensors of an encoding, are compared by identity.
 */
export const isSameSpec = <Fields extends FieldTable>({ fields }: KindFields<Fields>, a: SpecOf<Fields>, b: SpecOf<Fields>): boolean =>
  Object.keys(fields).every((name) => isSameValue(a[name], b[name]));

/** Prints the fields that differ from their defaults. */
export function printSpec<Fields extends FieldTable>({ fields }: KindFields<Fields>, spec: SpecOf<Fields>): Record<string, string> {
  const printedFields: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = field.print(spec[name]);
    if (value !== undefined && value !== field.print(field.initial)) printedFields[name] = value;
  }
  return printedFields;
}

/** Prints a spec as a tag: '<phasor-figure kind="similarity" length="128"></phasor-figure>'. */
export function printTag<Fields extends FieldTable>(kind: KindFields<Fields>, spec: SpecOf<Fields>): string {
  // An HTML parser would convert a literal carriage return to a line feed.
  const escapeAttribute = (value: string): string => escapeMarkup(value).replaceAll('\r', '&#13;');
  const attributes = Object.entries(printSpec(kind, spec)).map(([name, value]) => ` ${toKebabCase(name)}="${escapeAttribute(value)}"`);
  return `<phasor-figure kind="${kind.id}"${attributes.join('')}></phasor-figure>`;
}

/** Prints a spec for a URL: 'kind=similarity&length=128'. */
export function printLink<Fields extends FieldTable>(kind: KindFields<Fields>, spec: SpecOf<Fields>): string {
  return new URLSearchParams({ kind: kind.id, ...printSpec(kind, spec) }).toString();
}
