import {
  type AuditFile,
  isAuditFile,
  isOptionReceipt,
  type OptionReceipt,
  type PublishedKey,
  parseUniqueJson,
} from '@sathorn/proof';

/** Parses a receipt, an order with a receipt, or a server's answer with either; undefined for anything else. */
export function readReceipt(text: string): OptionReceipt | undefined {
  const value = parse(text);
  const found = [value, member(value, 'receipt'), member(member(value, 'data'), 'receipt')];
  return found.find(isOptionReceipt);
}

/** Parses a part of the operators' log, as the console exports it; undefined for anything else. */
export function readAuditFile(text: string): AuditFile | undefined {
  const value = parse(text);
  return isAuditFile(value) ? value : undefined;
}

/** Parses the published keys: the answer of `GET /proof/keys`, with or without its envelope. */
export function readKeys(text: string): PublishedKey[] | undefined {
  const value = parse(text);
  const keys = member(value, 'keys') ?? member(member(value, 'data'), 'keys');
  return Array.isArray(keys) && keys.every(isKey) ? keys : undefined;
}

function parse(text: string): unknown {
  try {
    return parseUniqueJson(text);
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isKey(value: unknown): value is PublishedKey {
  const use = member(value, 'use');
  return (
    (use === 'index' || use === 'receipt' || use === 'ledger') &&
    typeof member(value, 'id') === 'string' &&
    /^[0-9a-f]{64}$/.test(String(member(value, 'public_key'))) &&
    isRecord(member(value, 'record'))
  );
}

function isRecord(record: unknown): boolean {
  if (record === undefined || record === null) return true;
  return ['body', 'signature', 'previous_signature'].every((name) => typeof member(record, name) === 'string');
}
