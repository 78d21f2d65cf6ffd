// The attributes of <phasor-figure> that are fields of the figure, and the meaning of the others.
import { camel, type RawFields } from './spec.ts';

/** Attributes of the element. */
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
/** Prefixes of attributes of HTML, and of frameworks. */
const FOREIGN = /^(data|aria|ng|v|x|hx|astro|svelte)-|^on[a-z]+$/;
const FIELD = /^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;

/** Whether an attribute is a field: any name except those of the element and of HTML; unknown fields are errors. */
export const isField = (name: string): boolean => FIELD.test(name) && !FOREIGN.test(name) && !OWN.includes(name) && !GLOBAL.includes(name);

/** The fields in attributes, under their names in a spec. */
export const attributeFields = (element: Element): RawFields =>
  Object.fromEntries([...element.attributes].filter(({ name }) => isField(name)).map(({ name, value }) => [camel(name), value]));

/** The values of these attributes as fields; undefined for removed ones. */
export const changedFields = (element: Element, names: readonly string[]): RawFields =>
  Object.fromEntries(names.filter(isField).map((name) => [camel(name), element.getAttribute(name) ?? undefined]));

const words = (text: string | null): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);
const toFieldNames = (names: readonly string[]): string[] => [
  ...new Set(names.flatMap((name) => [name, camel(name), name.replaceAll('-', '_')])),
];

/** The word in `controls` for all others. */
const MORE = 'more';

/** Permissions of readers. */
export interface Settings {
  /** Fields that the reader cannot change. */
  readonly lock: readonly string[];
  /** Fields and parameters whose controls are shown; undefined: all, folded. */
  readonly controls: readonly string[] | undefined;
  /** Whether the controls of all others are folded below, if `controls` contains the word `more`; otherwise they are omitted. */
  readonly hasMore: boolean;
  readonly maxHeight: number | undefined;
}

/** Whether an attribute is one of the settings other than `lock`. */
export const isSetting = (name: string): boolean => name === 'controls' || name === 'max-height';

/** Values of attributes, also of an element that does not exist yet; null for an absent one. */
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
 * Whether the element contains a picture that is visible until there are numbers. A link, for pages whose script does not load, is not one.
 */
export const hasStill = (element: Element): boolean => [...element.children].some((child) => !child.matches('[slot], a'));

/** The width in px of the still picture inside the element, which is also that of the live picture. */
export function stillWidth(element: Element): number | undefined {
  const still = [...element.children].find((child) => !child.hasAttribute('slot') && child.hasAttribute('width'));
  return Number(still?.getAttribute('width')) || undefined;
}
