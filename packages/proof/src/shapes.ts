/** Shapes of values from files. An additional member refuses a value: two readers must not take two texts from it. */
import type { SignedText } from './signature.ts';
import type { TreeSignedText } from './terms-tree.ts';

export type Members = { readonly [name: string]: unknown };

export function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Exactly these members and no others. */
export function hasOnly(value: unknown, names: readonly string[]): value is Members {
  return (
    isRecord(value) && Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name))
  );
}

/** Exactly these members, of which `texts` are strings. */
export function hasTexts(value: unknown, texts: readonly string[], others: readonly string[] = []): value is Members {
  return hasOnly(value, [...texts, ...others]) && texts.every((name) => typeof value[name] === 'string');
}

export function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

export function isSignedText(value: unknown): value is SignedText {
  return hasTexts(value, ['body', 'hash', 'signature', 'key']);
}

/** True for a signed text with its tree path. */
export function isTreeSignedText(value: unknown): value is TreeSignedText {
  return (
    hasTexts(value, ['body', 'hash', 'index'], ['path', 'tree']) &&
    isSignedText(value.tree) &&
    Array.isArray(value.path) &&
    value.path.every((hash) => typeof hash === 'string')
  );
}

export function isList<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(isItem);
}
