/** Returns the root URL of the site, which may be published at any path: `data-root` of each page is the relative path to the root. */
export const getSiteRoot = (): URL => new URL(document.documentElement.dataset.root ?? './', document.baseURI);
