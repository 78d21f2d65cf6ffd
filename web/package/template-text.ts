// Converts a Lit template to static HTML with its initial content. Listeners are omitted, and interactive controls are disabled.
import { nothing, type TemplateResult } from 'lit';
import { escapeMarkup } from '../charts/escaped.ts';

/**
 * Matches a binding at the end of the static text before a value: `name=` (attribute), `.name=` (property), `?name=` (boolean) or `@name=`
 * (listener).
 */
const BINDING_PATTERN = /\s([.?@]?)([\w-]+)=$/;
const ATTRIBUTE_PROPERTIES = new Set(['value', 'checked']);

function renderAttribute(prefix: string, name: string, value: unknown): string {
  if (prefix === '@' || value === nothing || value === undefined) return '';
  if (prefix === '.' && !ATTRIBUTE_PROPERTIES.has(name)) return '';
  if (prefix === '?' || name === 'checked') return value ? ` ${name}` : '';
  return ` ${name}="${escapeMarkup(String(value))}"`;
}

function toText(value: unknown): string {
  if (value === nothing || value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(toText).join('');
  if (typeof value === 'object' && 'strings' in value && 'values' in value) return toHtml(value as TemplateResult);
  return escapeMarkup(String(value));
}

function toHtml({ strings, values }: TemplateResult): string {
  let html = strings[0] as string;
  values.forEach((value, index) => {
    const [binding, prefix = '', name = ''] = BINDING_PATTERN.exec(html) ?? [];
    html = binding ? html.slice(0, -binding.length) + renderAttribute(prefix, name, value) : html + toText(value);
    html += strings[index + 1];
  });
  return html;
}

const renderOutput = (name: string, attributes: string, text: string): string =>
  `<output class="${name}"${/ id="[^"]*"/.exec(attributes)?.[0] ?? ''}>${text}</output>`;

/**
 * Returns the static HTML of a template. Text inputs and drop-down lists are rendered as text (figure-tag.css). All other controls are
 * disabled.
 */
export const toStaticHtml = (template: TemplateResult): string =>
  toHtml(template)
    .replaceAll(/<input( [^>]*?type="text"[^>]*? value="([^"]*)"[^>]*)>/g, (_, attributes, text) => renderOutput('field', attributes, text))
    .replaceAll(/<select([^>]*)>(.*?)<\/select>/gs, (_, attributes, options) =>
      renderOutput('list', attributes, / selected[^>]*>([^<]*)</.exec(options)?.[1] ?? ''),
    )
    .replaceAll(/<textarea([^>]*?) value="([^"]*)"([^>]*)><\/textarea>/g, '<textarea$1$3>$2</textarea>')
    .replaceAll(/<(input|select|textarea|button)\b(?![^>]* disabled)/g, '<$1 disabled');
