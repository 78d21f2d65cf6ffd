/** Returns whether this page is part of the website. Only the website has trained models and can be saved as a single file. */
export const isSite = (): boolean => document.documentElement.dataset.root !== undefined;
