import type { MessageKey } from '@sathorn/text';

/** The key of what a row is called. */
export function recordName(kind: string, has: (key: string) => key is MessageKey): MessageKey {
  const key: string = `record.${kind}`;
  return has(key) ? key : 'record.other';
}
