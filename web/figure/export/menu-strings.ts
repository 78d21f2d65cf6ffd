// The words of the menu of exports.

export const MENU_WORDS = {
  noCode: (why: string) => `No program can be shown: ${why}.`,
  embed: 'This figure in another page:',
  embedWithout: 'The numbers of the file are not part of the tag; a script sets them: figure.spec = { … }.',
  languages: { python: 'Python with NumPy', phasor: 'phasor (JavaScript)' },
  files: 'Save these files beside the Python program, which reads or imports them:',
  folder: 'The files .py are also in the folder reference/ of the website and of the npm package phasor.',
} as const;
