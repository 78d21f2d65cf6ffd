// What the Lab says of settings that cannot be computed: it may have to be said before the rest of the page is there.

/** The numbers of attention that can be wrong, by field. */
export const CONTROL_WORDS = {
  heads: 'Heads',
  width: 'Model width',
  offset: 'Position offset',
  seed: 'Seed',
} as const;

export const ERROR_WORDS = {
  kept: 'The last value is kept.',
  stillShown: 'The sentence still shows the last valid setting.',
  cannot: (control: string | undefined) =>
    `This setting cannot be computed; see the message ${control === undefined ? 'below' : `at ${control}`}.`,
  noPicture: (why: string) => `There is no picture of this setting. ${why}.`,
  ownValues: (name: string) => `Use the default ${name}`,
} as const;
