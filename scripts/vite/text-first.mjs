// The text of a page stands in its HTML: its scripts, which make figures live, come after it and its fonts on a slow connection.

/** @returns {import('vite').Plugin} */
export function textFirst() {
  return {
    name: 'phasor-text-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replaceAll(/<(?:script type="module"|link rel="modulepreload")(?= )/g, '$& fetchpriority="low"'),
    },
  };
}
