/**
 * Returns the URL of the script that other pages use to embed a figure. The build creates it (scripts/site/embed.mjs), so a development
 * server has none.
 * @param root the URL of the site
 */
export const getSiteScriptUrl = (root: URL): string | undefined =>
  import.meta.env.DEV ? undefined : new URL('embed/figure.js', root).href;
