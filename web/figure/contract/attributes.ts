// Attributes of <phasor-figure>: the fields of the figure, and the settings that limit what readers may change.
import { type RawFields, toCamelCase } from './spec.ts';

/** Attributes of the element that are not fields. */
const ELEMENT_ATTRIBUTES = ['kind', 'group', 'lock', 'controls', 'compact', 'max-height', 'models-src'];
/** Attributes that any HTML element may have. */
const HTML_ATTRIBUTES = [
  ...['accesskey', 'anchor', 'autocapitalize', 'autocorrect', 'autofocus', 'class', 'contenteditable', 'dir', 'draggable', 'enterkeyhint'],
  ...['exportparts', 'hidden', 'id', 'inert', 'inputmode', 'is', 'itemid', 'itemprop', 'itemref', 'itemscope', 'itemtype', 'lang', 'nonce'],
  ...[
    'part',
    'popover',
    'role',
    'slot',
    'spellcheck',
    'style',
    'tabindex',
    'title',
    'translate',
    'virtualkeyboardpolicy',
    'writingsuggestions',
  ],
];
/** Prefixes of other attributes of HTML and of frameworks. */
const RESERVED_PREFIX = /^(data|aria|ng|v|x|hx|astro|svelte)-|^on[a-z]+$/;
const FIELD_NAME = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;

/**
 * Whether an attribute is a field. All names except attributes of the element and of HTML are fields, so that misspelled fields are
 * reported.
 */
export const isField = (name: string): boolean =>
  FIELD_NAME.test(name) && !RESERVED_PREFIX.test(name) && !ELEMENT_ATTRIBUTES.includes(name) && !HTML_ATTRIBUTES.includes(name);

/** The attributes of an element that are fields, by their names in a spec. */
export const readFields = (element: Element): RawFields =>
  Object.fromEntries([...element.attributes].filter(({ name }) => isField(name)).map(({ name, value }) => [toCamelCase(name), value]));

/** The values of these attributes as fields; undefined for removed attributes. */
export const readChangedFields = (element: Element, names: readonly string[]): RawFields =>
  Object.fromEntries(names.filter(isField).map((name) => [toCamelCase(name), element.getAttribute(name) ?? undefined]));

const splitWords = (text: string | null): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);
const toFieldNames = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => [name, toCamelCase(name), name.replaceAll('-', '_')])),
];

/** The word in `controls` that adds all other controls in a collapsed part. */
const MORE_CONTROLS = 'more';

/** The permissions of readers, and the height of the picture. */
export interface Settings {
  /** Fields that the reader cannot change. */
  readonly lock: readonly string[];
  /** Fields and parameters whose controls are shown; if undefined, all controls are in a collapsed part. */
  readonly controls: readonly string[] | undefined;
  /** Whether `controls` contains the word `more`: all other controls are then in a collapsed part, otherwise omitted. */
  readonly hasMore: boolean;
  readonly maxHeight: number | undefined;
}

/** Whether an attribute is one of the settings other than `lock`. */
export const isSettingName = (name: string): boolean => name === 'controls' || name === 'max-height';

/** Parses the settings. Takes a function instead of an element, because pre-rendered figures have no element. */
export const parseSettings = (getAttribute: (name: string) => string | null): Settings => {
  const controls = getAttribute('controls');
  const controlNames = controls === null ? undefined : toFieldNames(splitWords(controls));
  return {
    lock: toFieldNames(splitWords(getAttribute('lock'))),
    controls: controlNames?.filter((name) => name !== MORE_CONTROLS),
    hasMore: controlNames?.includes(MORE_CONTROLS) ?? false,
    maxHeight: Number(getAttribute('max-height')) || undefined,
  };
};

export const readSettings = (element: Element): Settings => parseSettings((name) => element.getAttribute(name));

/**
 * Whether the element contains a still picture, which is visible until the numbers are computed. The fallback link for a script that fails to load
 * does not count.
 */
export const hasStillPicture = (element: Element): boolean => [...element.children].some((child) => !child.matches('[slot], a'));

/** The width in px of the still picture inside the element; the live picture has the same width. */
export function readStillWidth(element: Element): number | undefined {
  const stillPicture = [...element.children].find((child) => !child.hasAttribute('slot') && child.hasAttribute('width'));
  return Number(stillPicture?.getAttribute('width')) || undefined;
}
