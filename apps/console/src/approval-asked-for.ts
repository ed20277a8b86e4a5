import type { Call } from '@sathorn/api';

const textAt = (answer: object, name: string): string | null => {
  const value = (answer as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
};

/** Returns the approval that this operator has just requested and may take back; null if the answer contains none. */
export function approvalAskedFor({ path }: Pick<Call, 'path'>, answer: unknown): string | null {
  // Requests for the operator's own voting key are made during sign-in and have no undo.
  if (typeof answer !== 'object' || answer === null || path.startsWith('/admin/voting_keys/')) return null;
  const named = (answer as { approval?: unknown }).approval;
  if (typeof named === 'string') return named;
  if (!path.endsWith('/propose')) return null;
  // The answer is a case with its proposal, or the proposal itself.
  if (typeof named === 'object' && named !== null) return textAt(named, 'id');
  return textAt(answer, 'status') === 'waiting' && textAt(answer, 'fingerprint') !== null ? textAt(answer, 'id') : null;
}
