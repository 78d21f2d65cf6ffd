export const SITE_COPY_STRINGS = {
  offlineNotice: 'Offline: showing your saved copy.',
  updateAvailable: 'A new version of this site is available.',
  reload: 'Reload',
  saveForOffline: 'Save for offline',
  preparingDownload: 'Preparing download…',
  fileSaved: (name: string) => `Saved ${name} to Downloads. It opens offline.`,
  fileMissing: (name: string) => `offline/${name} is missing on this server: the site was published without its offline edition.`,
  serverUnreachable: (name: string) =>
    `offline/${name} could not be downloaded: the server does not respond. Try again when you are online.`,
} as const;
