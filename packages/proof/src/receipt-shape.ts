import type { OptionReceipt } from './option-receipt.ts';
import type { TreeSignedText } from './terms-tree.ts';

/**
 * True if a value from a file has a receipt's shape and no additional fields. Additional fields would let two different
 * files count as the same receipt. `verifyOptionReceipt` checks the content.
 */
export function isOptionReceipt(value: unknown): value is OptionReceipt {
  return (
    hasOnly(value, ['v', 'terms', 'account', 'ticks', 'result', 'transfers']) &&
    value.v === 'receipt/1' &&
    isTreeSignedText(value.terms) &&
    hasTexts(value.account, ['salt', 'customer']) &&
    hasOnly(value.ticks, ['before_start', 'start', 'end', 'after_end']) &&
    isTickOrNull(value.ticks.before_start) &&
    isTickOrNull(value.ticks.start) &&
    isTickOrNull(value.ticks.end) &&
    isTickOrNull(value.ticks.after_end) &&
    hasTexts(value.result, ['status', 'profit', 'fee', 'credited'], ['reason']) &&
    isTextOrNull(value.result.reason) &&
    Array.isArray(value.transfers) &&
    value.transfers.every(isTransfer)
  );
}

type Record = { readonly [name: string]: unknown };

function isRecord(value: unknown): value is Record {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Exactly these keys and no others. */
function hasOnly(value: unknown, names: readonly string[]): value is Record {
  return (
    isRecord(value) && Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name))
  );
}

function hasTexts(value: unknown, texts: readonly string[], others: readonly string[] = []): value is Record {
  return hasOnly(value, [...texts, ...others]) && texts.every((name) => typeof value[name] === 'string');
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isSignedText(value: unknown): boolean {
  return hasTexts(value, ['body', 'hash', 'signature', 'key']);
}

// Undefined means a missing field, unlike null, which means that there is no such tick.
function isTickOrNull(value: unknown): boolean {
  return value === null || isSignedText(value);
}

/** True for a signed text with its tree path. Devices check stored terms of answers with it too. */
function isTreeSignedText(value: unknown): value is TreeSignedText {
  return (
    hasTexts(value, ['body', 'hash', 'index'], ['path', 'tree']) &&
    isSignedText(value.tree) &&
    Array.isArray(value.path) &&
    value.path.every((hash) => typeof hash === 'string')
  );
}

function isTransfer(value: unknown): boolean {
  return (
    hasTexts(value, ['seq', 'kind', 'from', 'to', 'asset', 'amount'], ['resolves']) && isTextOrNull(value.resolves)
  );
}
