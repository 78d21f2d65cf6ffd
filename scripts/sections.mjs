// Generated sections of documents: the lines between <!-- name --> and <!-- /name -->.

/**
 * Replaces the text of a section.
 * @param {string} document
 * @param {string} name of the section
 * @param {string} text
 * @param {string} file the path of the document, for the error message
 */
export function withSection(document, name, text, file) {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [before = '', rest = '', more] = document.split(begin);
  const [, after, extra] = rest.split(end);
  if (after === undefined || more !== undefined || extra !== undefined)
    throw new Error(`${file}: has no single section ${name}; expected ${begin.trim()} and ${end}, once each`);
  return `${before}${begin}\n${text}\n\n${end}${after}`;
}
