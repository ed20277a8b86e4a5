import type { OptionReceipt } from './option-receipt.ts';

/** Whether a value read from a file has a receipt's shape. What it says is for `verifyOptionReceipt`. */
export function isOptionReceipt(value: unknown): value is OptionReceipt {
  return (
    isRecord(value) &&
    value.v === 'receipt/1' &&
    isTreeSignedText(value.terms) &&
    hasTexts(value.account, ['salt', 'customer']) &&
    isRecord(value.ticks) &&
    isTickOrNull(value.ticks.before_start) &&
    isTickOrNull(value.ticks.start) &&
    isTickOrNull(value.ticks.end) &&
    isTickOrNull(value.ticks.after_end) &&
    hasTexts(value.result, ['status', 'profit', 'fee', 'credited']) &&
    isTextOrNull(value.result.reason) &&
    Array.isArray(value.transfers) &&
    value.transfers.every(isTransfer)
  );
}

type Record = { readonly [name: string]: unknown };

function isRecord(value: unknown): value is Record {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasTexts(value: unknown, names: readonly string[]): value is Record {
  return isRecord(value) && names.every((name) => typeof value[name] === 'string');
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isSignedText(value: unknown): boolean {
  return hasTexts(value, ['body', 'hash', 'signature', 'key']);
}

// Undefined is a member that is missing, which is not the same as a tick that there is none of.
function isTickOrNull(value: unknown): boolean {
  return value === null || isSignedText(value);
}

function isTreeSignedText(value: unknown): boolean {
  return (
    hasTexts(value, ['body', 'hash', 'index']) &&
    isSignedText(value.tree) &&
    Array.isArray(value.path) &&
    value.path.every((hash) => typeof hash === 'string')
  );
}

function isTransfer(value: unknown): boolean {
  return hasTexts(value, ['seq', 'kind', 'from', 'to', 'asset', 'amount']) && isTextOrNull(value.resolves);
}
