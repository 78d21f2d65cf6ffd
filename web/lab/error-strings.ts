// Messages about settings that cannot be computed. They may be needed before the rest of the page is loaded.

export const CONTROL_STRINGS = {
  heads: 'Heads',
  dim: 'Model width',
  positionOffset: 'Position offset',
  seed: 'Seed',
} as const;

export const ERROR_STRINGS = {
  lastValueKept: 'Last valid value kept.',
  lastSettingShown: 'The sentence still shows the last valid setting.',
  invalidSetting: (control: string | undefined) => `Invalid setting; see the message ${control === undefined ? 'below' : `at ${control}`}.`,
  cannotDraw: (reason: string) => `Cannot draw this setting: ${reason}.`,
  useDefault: (name: string) => `Use the default ${name}`,
} as const;
