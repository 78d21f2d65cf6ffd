// The text of the faults page: for each fault of the doctor its message, a figure, how to recognize it, the change that fixes it, and public reports.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { slugOf } from './plain-text.mjs';

/** @import { Modules } from './web-modules.mjs' */

/** @typedef {{ look: string, like: string[], reports: string[] }} Fault `like`: faults that look similar, by id or in words */
/** @typedef {{ title: string, libraries: Record<string, string>, faults: Record<string, Fault> }} FaultGroup `libraries`: the setting of each library */

/** @returns {FaultGroup[]} */
export const faultGroups = () => JSON.parse(readFileSync(join(root, 'web/book/site/faults.json'), 'utf8'));

/** The name in headings and links: 'wrong pairing'. @param {string} id */
const nameOf = (id) => id.replaceAll('_', ' ');
/** @param {string} id */
const linkTo = (id) => `[${nameOf(id)}](#${slugOf(id)})`;
/** A link to GitHub, which redirects from issues to pull requests. @param {string} report such as owner/name#12 */
const reportLink = (report) => `[${report}](https://github.com/${report.replace('#', '/issues/')})`;
/** A message whose placeholders in braces, which the doctor replaces by values, are in italics. @param {string} sentence */
const withValues = (sentence) => sentence.replaceAll(/\{(\w+)\}/g, '*$1*');

/** The size of a picture in px: two squares side by side, or one above the other on a phone. */
const [WIDTH, HEIGHT] = [680, 300];

/**
 * @param {string} id
 * @param {Fault} fault
 * @param {Modules['FAULTS']} sentences
 * @param {string[]} ids of all faults
 */
function section(id, { look, like, reports }, sentences, ids) {
  const [sentence = '', change = ''] = sentences[id] ?? [];
  const linked = like.map((words) => words.replaceAll(/\w+/g, (word) => (ids.includes(word) ? linkTo(word) : word)));
  return [
    `### ${nameOf(id)}`,
    `> ${withValues(sentence)}`,
    `::: figure kind=doctor fault=${id} compact room=${WIDTH} max-height=${HEIGHT} #face-${slugOf(id)}\nA made-up dump with this fault. ${look}\n:::`,
    `**Change.** ${withValues(change)}`,
    ...(linked.length > 0 ? [`**Looks like it:** ${linked.join('; ')}.`] : []),
    ...(reports.length > 0 ? [`**Reports:** ${reports.map(reportLink).join(', ')}.`] : []),
  ].join('\n\n');
}

/** A list of links to all faults, and a section for each. @param {Pick<Modules, 'FAULTS'>} modules */
export function faultsText({ FAULTS }) {
  const groups = faultGroups();
  const ids = groups.flatMap(({ faults }) => Object.keys(faults));
  const list = groups.map(({ title, faults }) => `- **[${title}](#${slugOf(title)}):** ${Object.keys(faults).map(linkTo).join(', ')}`);
  const sections = groups.map(({ title, libraries, faults }) => {
    const rows = Object.entries(libraries).map(([library, setting]) => `| ${library} | ${setting} |`);
    const own = Object.entries(faults).map(([id, fault]) => section(id, fault, FAULTS, ids));
    return [`## ${title}`, ['| library | where it is set |', '|---|---|', ...rows].join('\n'), ...own].join('\n\n');
  });
  return [list.join('\n'), ...sections].join('\n\n');
}
