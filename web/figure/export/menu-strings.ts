// The words of the menu of exports.

export const MENU_WORDS = {
  codeFiles: 'Files that the programs below read:',
  noCode: (why: string) => `No program can be shown: ${why}.`,
  embed: 'This figure in another page:',
  embedWithout: 'The numbers of the file are not part of the tag; a script sets them: figure.spec = { … }.',
  languages: { numpy: 'NumPy', pytorch: 'PyTorch', phasor: 'phasor (JavaScript)' },
} as const;
