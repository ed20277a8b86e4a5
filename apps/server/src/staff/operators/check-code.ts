import type { Queries } from '../../platform/database/index.ts';
import { stepOfCode } from './authenticator.ts';
import type { OperatorKeys } from './operator-keys.ts';
import { readCredential, useStepOnce } from './operator-store.ts';

/** Checks an authenticator code and marks it as used. False if it is wrong or was used before. */
export async function useCode(
  queries: Queries,
  keys: OperatorKeys,
  operator: bigint,
  code: string,
  now: Date,
): Promise<boolean> {
  const credential = await readCredential(queries, operator);
  if (!credential) return false;
  const key = keys.open(credential.authenticator, String(operator));
  const step = stepOfCode(key, code.replaceAll(' ', ''), now, Number(credential.used_step));
  return step !== null && useStepOnce(queries, operator, step);
}
