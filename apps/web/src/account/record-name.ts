import type { KeyOf } from '@sathorn/text';

type RecordName = Extract<KeyOf<'money'>, `record.${string}`>;

/** The key of what a row of the statement is called. */
export function recordName<Key extends string>(kind: string, has: (key: string) => key is Key): Key | RecordName {
  const key: string = `record.${kind}`;
  return has(key) ? key : 'record.other';
}
