/** The root of the site, which may be at any path: its pages have their depth. */
export const siteRoot = (): URL => new URL(document.documentElement.dataset.root ?? './', document.baseURI);
