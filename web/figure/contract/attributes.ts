// Reads the attributes of <phasor-figure>: fields of the figure, and settings such as `lock`.
import { type RawFields, toCamelCase } from './spec.ts';

const ELEMENT_ATTRIBUTES = ['kind', 'group', 'lock', 'controls', 'compact', 'max-height', 'models-src'];
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
/** Matches attributes that HTML or frameworks define. */
const RESERVED_PREFIX = /^(data|aria|ng|v|x|hx|astro|svelte)-|^on[a-z]+$/;
const FIELD_NAME = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;

/** Whether an attribute is a field. Names not excluded above count as fields, so that misspelled fields are reported. */
export const isField = (name: string): boolean =>
  FIELD_NAME.test(name) && !RESERVED_PREFIX.test(name) && !ELEMENT_ATTRIBUTES.includes(name) && !HTML_ATTRIBUTES.includes(name);

export const readFields = (element: Element): RawFields =>
  Object.fromEntries([...element.attributes].filter(({ name }) => isField(name)).map(({ name, value }) => [toCamelCase(name), value]));

/** Returns the current values of these attributes; undefined for removed attributes. */
export const readChangedFields = (element: Element, names: readonly string[]): RawFields =>
  Object.fromEntries(names.filter(isField).map((name) => [toCamelCase(name), element.getAttribute(name) ?? undefined]));

const splitWords = (text: string | null): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);
const toFieldNames = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => [name, toCamelCase(name), name.replaceAll('-', '_')])),
];

const MORE_CONTROLS = 'more';

export interface Settings {
  /** Fields that the user cannot change. */
  readonly lock: readonly string[];
  /** Fields and parameters whose controls are always visible. If undefined, all controls are in a collapsed section. */
  readonly controls: readonly string[] | undefined;
  /**
   * Whether the attribute `controls` contains the word `more`. If so, the other controls are in a collapsed section; otherwise they are
   * omitted.
   */
  readonly hasMore: boolean;
  readonly maxHeight: number | undefined;
}

export const isSettingName = (name: string): boolean => name === 'controls' || name === 'max-height';

/** Parses the settings. Takes a function rather than an element, because pre-rendered figures have no element. */
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
 * Whether the element contains a still picture, which is displayed until the live figure is drawn. A link does not count, because it may be
 * the fallback for a script that fails to load.
 */
export const hasStillPicture = (element: Element): boolean => [...element.children].some((child) => !child.matches('[slot], a'));

/** Returns the width of the still picture in px. The live picture is drawn with the same width. */
export function readStillWidth(element: Element): number | undefined {
  const stillPicture = [...element.children].find((child) => !child.hasAttribute('slot') && child.hasAttribute('width'));
  return Number(stillPicture?.getAttribute('width')) || undefined;
}
