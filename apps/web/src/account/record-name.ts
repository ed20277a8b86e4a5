import type { KeyOf } from '@sathorn/text';

type RecordName = Extract<KeyOf<'money'>, `record.${string}`>;

/** Returns the text key for a row of the statement. */
export function recordName<Key extends string>(kind: string, has: (key: string) => key is Key): Key | RecordName {
  const key: string = `record.${kind}`;
  return has(key) ? key : 'record.other';
}
