/**
 * The script of <phasor-figure> for pages of others, which the build puts into the site (scripts/site/embed.mjs); a development server has none.
 * @param root where the site begins
 */
export const siteScript = (root: URL): string | undefined => (import.meta.env.DEV ? undefined : new URL('embed/figure.js', root).href);
