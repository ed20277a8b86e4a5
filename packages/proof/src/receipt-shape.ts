import type { OptionReceipt } from './option-receipt.ts';
import { hasOnly, hasTexts, isRecord, isSignedText, isTextOrNull, isTreeSignedText } from './shapes.ts';

/**
 * True if a value from a file has a receipt's shape and no additional fields. Additional fields would let two different
 * files count as the same receipt. `verifyOptionReceipt` checks the content.
 */
export function isOptionReceipt(value: unknown): value is OptionReceipt {
  return (
    hasOnly(value, [
      ...['v', 'terms', 'account', 'ticks', 'result', 'transfers'],
      ...(isRecord(value) && 'promise' in value ? ['promise'] : []),
    ]) &&
    isPromiseOrNone(value.promise) &&
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

// Undefined means a missing field, unlike null, which means that there is no such tick.
function isTickOrNull(value: unknown): boolean {
  return value === null || isSignedText(value);
}

function isPromiseOrNone(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  const areTexts = (list: unknown): boolean => Array.isArray(list) && list.every((text) => typeof text === 'string');
  return (
    hasTexts(value, ['index'], ['path', 'links', 'tick']) &&
    areTexts(value.path) &&
    areTexts(value.links) &&
    isSignedText(value.tick)
  );
}

function isTransfer(value: unknown): boolean {
  return (
    hasTexts(value, ['seq', 'kind', 'from', 'to', 'asset', 'amount'], ['resolves']) && isTextOrNull(value.resolves)
  );
}
