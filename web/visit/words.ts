// What is said about the copy of the site that a browser keeps, in one place.
export const VISIT_WORDS = {
  offline: 'The server of this site does not answer. You see the copy that your browser keeps, and all of it works.',
  outdated: 'There is a new version of this site.',
  reload: 'Reload for the new version',
} as const;
