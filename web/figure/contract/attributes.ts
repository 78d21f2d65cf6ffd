// Attributes of <phasor-figure>: those that are fields of the figure, and those that set what readers may change.
import { camel, type RawFields } from './spec.ts';

/** Attributes of the element that are not fields. */
const OWN = ['kind', 'group', 'lock', 'controls', 'compact', 'max-height', 'models-src'];
/** Attributes that any HTML element may have. */
const GLOBAL = [
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
/** Prefixes of attributes that belong to HTML or to frameworks. */
const FOREIGN = /^(data|aria|ng|v|x|hx|astro|svelte)-|^on[a-z]+$/;
const FIELD = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;

/** Whether an attribute is a field: any name that belongs neither to the element nor to HTML. Unknown fields are reported as errors. */
export const isField = (name: string): boolean => FIELD.test(name) && !FOREIGN.test(name) && !OWN.includes(name) && !GLOBAL.includes(name);

/** The fields in the attributes of an element, by their names in a spec. */
export const attributeFields = (element: Element): RawFields =>
  Object.fromEntries([...element.attributes].filter(({ name }) => isField(name)).map(({ name, value }) => [camel(name), value]));

/** The values of these attributes as fields; undefined for removed attributes. */
export const changedFields = (element: Element, names: readonly string[]): RawFields =>
  Object.fromEntries(names.filter(isField).map((name) => [camel(name), element.getAttribute(name) ?? undefined]));

const words = (text: string | null): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);
const toFieldNames = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => [name, camel(name), name.replaceAll('-', '_')])),
];

/** The word in `controls` that adds all other controls, folded. */
const MORE = 'more';

/** The permissions of readers, and the height of the picture. */
export interface Settings {
  /** Fields that the reader cannot change. */
  readonly lock: readonly string[];
  /** Fields and parameters whose controls are shown; if undefined, all are available, folded. */
  readonly controls: readonly string[] | undefined;
  /** Whether all other controls follow, folded, because `controls` contains the word `more`; otherwise they are omitted. */
  readonly hasMore: boolean;
  readonly maxHeight: number | undefined;
}

/** Whether an attribute is one of the settings other than `lock`. */
export const isSetting = (name: string): boolean => name === 'controls' || name === 'max-height';

/** Reads the settings from attributes, which `attribute` returns by name (null if absent), so the element need not exist yet. */
export const settingsFrom = (attribute: (name: string) => string | null): Settings => {
  const controls = attribute('controls');
  const listed = controls === null ? undefined : toFieldNames(words(controls));
  return {
    lock: toFieldNames(words(attribute('lock'))),
    controls: listed?.filter((name) => name !== MORE),
    hasMore: listed?.includes(MORE) ?? false,
    maxHeight: Number(attribute('max-height')) || undefined,
  };
};

export const settingsOf = (element: Element): Settings => settingsFrom((name) => element.getAttribute(name));

/**
 * Whether the element contains a still picture, which is visible until there are numbers. A link that replaces a script that fails to load does not
 * count.
 */
export const hasStill = (element: Element): boolean => [...element.children].some((child) => !child.matches('[slot], a'));

/** The width in px of the still picture inside the element, which is also that of the live picture. */
export function stillWidth(element: Element): number | undefined {
  const still = [...element.children].find((child) => !child.hasAttribute('slot') && child.hasAttribute('width'));
  return Number(still?.getAttribute('width')) || undefined;
}
