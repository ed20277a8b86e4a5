const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** PostgreSQL would throw for other text, and a malformed id from a client is not a server fault. */
export const isUuid = (text: string): boolean => UUID.test(text);
