export function gcc(): string | undefined;
export function clang(): string | undefined;
