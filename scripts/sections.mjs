// Sections of documents that are generated: the lines between <!-- name --> and <!-- /name -->.

/**
 * The document with this text in its section of that name.
 * @param {string} document
 * @param {string} name
 * @param {string} text
 * @param {string} file named in the error
 */
export function withSection(document, name, text, file) {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [before = '', rest = '', more] = document.split(begin);
  const [, after, extra] = rest.split(end);
  if (after === undefined || more !== undefined || extra !== undefined)
    throw new Error(`${file}: has no single section ${name}; expected ${begin.trim()} and ${end}, once each`);
  return `${before}${begin}\n${text}\n\n${end}${after}`;
}
