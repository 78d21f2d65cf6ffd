// Strings of the export menu.

export const MENU_STRINGS = {
  noCode: (why: string) => `No program can be shown: ${why}.`,
  title: 'with title',
  source: 'with source',
  embed: 'This figure in another page:',
  embedWithout: 'The numbers of the file are not part of the tag; a script sets them: figure.spec = { … }.',
  languages: { python: 'Python with NumPy', phasor: 'phasor (JavaScript)' },
  files: 'The program and the files that it imports and reads, for one folder:',
  folder: 'The folder reference/ of the website and of the npm package phasor has all such files, also those in PyTorch.',
} as const;
