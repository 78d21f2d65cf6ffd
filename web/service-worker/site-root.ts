/** The root URL of the site, which may be published at any path: each page states its depth below the root. */
export const getSiteRoot = (): URL => new URL(document.documentElement.dataset.root ?? './', document.baseURI);
