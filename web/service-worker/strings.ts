// What is said about the copy of the site that a browser keeps, and about files to take along, in one place.
export const SITE_COPY_WORDS = {
  offline: 'The server of this site does not answer. You see the copy that your browser keeps, and all of it works.',
  outdated: 'There is a new version of this site.',
  reload: 'Reload for the new version',
  save: 'Save for offline',
  saving: 'The file is on its way.',
  saved: (name: string) => `${name} is among your downloads. Double-click it: it needs no network.`,
  missing: (name: string) =>
    `This server does not have offline/${name}, so there is nothing to save: the site was published without its offline edition.`,
  unreachable: (name: string) => `offline/${name} could not be fetched: the server does not answer. Try again when you are online.`,
} as const;
