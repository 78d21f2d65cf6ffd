/** Where the site begins, which may lie under any path: its pages say how far above them. */
export const siteRoot = (): URL => new URL(document.documentElement.dataset.root ?? './', document.baseURI);
