/** Whether this page belongs to the website, which has trained models and files to save. A single-file page has neither. */
export const isSite = (): boolean => document.documentElement.dataset.root !== undefined;
