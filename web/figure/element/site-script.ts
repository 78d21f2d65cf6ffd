/**
 * The script of <phasor-figure> for other pages, which the build writes into the site (scripts/site/embed.mjs); a development server has
 * none.
 * @param root the URL of the site
 */
export const getSiteScriptUrl = (root: URL): string | undefined =>
  import.meta.env.DEV ? undefined : new URL('embed/figure.js', root).href;
