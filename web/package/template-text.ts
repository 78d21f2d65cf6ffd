// A template of Lit as static HTML: its initial content. Listeners are omitted, and interactive controls are disabled.
import { nothing, type TemplateResult } from 'lit';
import { escaped } from '../charts/escaped.ts';

/** The binding of a value: `name=`, `.name=` a property, `?name=` a boolean, `@name=` a listener; at the end of the preceding text. */
const BOUND = /\s([.?@]?)([\w-]+)=$/;
/** Properties that also exist as HTML attributes. */
const SAID = new Set(['value', 'checked']);

function attribute(sign: string, name: string, value: unknown): string {
  if (sign === '@' || value === nothing || value === undefined) return '';
  if (sign === '.' && !SAID.has(name)) return '';
  if (sign === '?' || name === 'checked') return value ? ` ${name}` : '';
  return ` ${name}="${escaped(String(value))}"`;
}

function textOf(value: unknown): string {
  if (value === nothing || value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join('');
  if (typeof value === 'object' && 'strings' in value && 'values' in value) return joined(value as TemplateResult);
  return escaped(String(value));
}

function joined({ strings, values }: TemplateResult): string {
  let html = strings[0] as string;
  values.forEach((value, index) => {
    const [bound, sign = '', name = ''] = BOUND.exec(html) ?? [];
    html = bound ? html.slice(0, -bound.length) + attribute(sign, name, value) : html + textOf(value);
    html += strings[index + 1];
  });
  return html;
}

/** The text of a field or of a list. */
const output = (name: string, attributes: string, text: string): string =>
  `<output class="${name}"${/ id="[^"]*"/.exec(attributes)?.[0] ?? ''}>${text}</output>`;

/** The static HTML of a template: fields and lists are text (figure-tag.css), every other control is disabled. */
export const staticHtml = (template: TemplateResult): string =>
  joined(template)
    .replaceAll(/<input( [^>]*?type="text"[^>]*? value="([^"]*)"[^>]*)>/g, (_, attributes, text) => output('field', attributes, text))
    .replaceAll(/<select([^>]*)>(.*?)<\/select>/gs, (_, attributes, options) =>
      output('list', attributes, / selected[^>]*>([^<]*)</.exec(options)?.[1] ?? ''),
    )
    .replaceAll(/<textarea([^>]*?) value="([^"]*)"([^>]*)><\/textarea>/g, '<textarea$1$3>$2</textarea>')
    .replaceAll(/<(input|select|textarea|button)\b(?![^>]* disabled)/g, '<$1 disabled');
