const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * No disk space: PostgreSQL's disk_full, its error when the write-ahead log cannot grow, or the same for our own files.
 */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (/^(53100|ENOSPC|EDQUOT)$/.test(codeOf(cause)) || /No space left on device/.test(cause.message)) return true;
  return false;
}

/** PostgreSQL timed out, has no disk space, or could not read or write its files: the same work may succeed later. */
export function isBusy(error: unknown): boolean {
  return /^(57014|55P03|53[0-9]{3}|58[0-9A-Z]{3}|40001|40P01)$/.test(codeOf(error)) || isDiskFull(error);
}
