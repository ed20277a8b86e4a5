const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** PostgreSQL would throw for anything else, and a stranger's text is no fault of ours. */
export const isUuid = (text: string): boolean => UUID.test(text);
