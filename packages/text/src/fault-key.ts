/**
 * Returns the text key for a field's fault. A fault may have its own sentence for a field (`field.required.phone`);
 * otherwise the general one is used, and an unknown fault reads as malformed.
 */
export function fieldFaultKey<Key extends string>(has: (key: string) => key is Key, fault: string, field: string): Key {
  for (const key of [`field.${fault}.${field}`, `field.${fault}`, 'field.malformed']) if (has(key)) return key;
  throw new Error('the catalogue has no field.malformed');
}

/** Returns the text key for an HTTP status other than 200; a status without a text reads as an unknown error. */
export function httpStatusKey<Key extends string>(has: (key: string) => key is Key, status: number): Key {
  for (const key of [`http.${status}`, 'UNKNOWN_ERROR']) if (has(key)) return key;
  throw new Error('the catalogue has no UNKNOWN_ERROR');
}
