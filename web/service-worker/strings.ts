export const SITE_COPY_STRINGS = {
  offline: 'Offline: showing your saved copy.',
  outdated: 'A new version of this site is available.',
  reload: 'Reload',
  save: 'Save for offline',
  saving: 'Preparing download…',
  saved: (name: string) => `Saved ${name} to Downloads. It opens offline.`,
  missing: (name: string) => `offline/${name} is missing on this server: the site was published without its offline edition.`,
  unreachable: (name: string) => `offline/${name} could not be downloaded: the server does not respond. Try again when you are online.`,
} as const;
