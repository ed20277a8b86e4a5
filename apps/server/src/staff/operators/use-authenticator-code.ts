import type { Queries } from '../../platform/database/index.ts';
import { stepOfCode } from './authenticator.ts';
import type { OperatorKeys } from './operator-keys.ts';
import { readOperatorCredential, useCodeStepOnce } from './operator-store.ts';

/** Checks an authenticator code and marks it as used. False if it is wrong or was used before. */
export async function useAuthenticatorCode(
  queries: Queries,
  keys: OperatorKeys,
  operator: bigint,
  code: string,
  now: Date,
): Promise<boolean> {
  const credential = await readOperatorCredential(queries, operator);
  if (!credential) return false;
  const key = keys.open(credential.authenticator, String(operator));
  const step = stepOfCode(key, code.replaceAll(' ', ''), now, Number(credential.used_step));
  return step !== null && useCodeStepOnce(queries, operator, step);
}
