/** Whether this is the website's page, which has trained models and files to save, rather than a single file. */
export const isSite = (): boolean => document.documentElement.dataset.root !== undefined;
