import type { LaunchOptions } from '@playwright/test';

export function chromiumPath(): string | undefined;
export function firefoxPath(): string | undefined;
export function chromiumOptions(more?: string[]): LaunchOptions;
export function chromiumForTests(more?: string[]): LaunchOptions;
export function firefoxOptions(): LaunchOptions;
