import { randomBytes } from 'node:crypto';
import type { Queries } from '../../platform/database/index.ts';
import { newAuthenticatorKey } from './authenticator.ts';
import type { OperatorKeys } from './operator-keys.ts';
import { storeCredentials } from './operator-store.ts';
import type { OperatorsModule } from './operators.ts';

const RECOVERY_CODES = 10;
/** 80 random bits. */
const RECOVERY_BYTES = 10;
export const ENROLMENT_HOURS = 48;

/** The command line shows it once, to the person who creates the operator. The database stores only its hash. */
export const newEnrolmentSecret = (): string => randomBytes(24).toString('base64url');

/** Derives the authenticator's key from the secret, so that nothing is stored before a correct code. */
export const enrolmentKeyOf = (keys: OperatorKeys, operator: bigint, secret: string): Buffer =>
  keys.hash('enrolment.authenticator', String(operator), secret).subarray(0, newAuthenticatorKey().length);

/** Normalises a typed code: either case, with or without spaces and dashes. */
const plainCode = (code: string): string => code.replaceAll(/[ -]/g, '').toLowerCase();
export const recoveryHashOf = (keys: OperatorKeys, operator: bigint, code: string): Buffer =>
  keys.hash('recovery_code', String(operator), plainCode(code));

function newRecoveryCode(): string {
  const hex = randomBytes(RECOVERY_BYTES).toString('hex');
  return (hex.match(/.{5}/g) ?? []).join('-');
}

/** Stores the password, the authenticator and new recovery codes, which are returned only here. */
export async function storeNewCredentials(
  { keys, hasher }: Pick<OperatorsModule, 'keys' | 'hasher'>,
  queries: Queries,
  operator: bigint,
  given: { readonly password: string; readonly key: Buffer; readonly usedStep: number },
  now: Date,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await storeCredentials(
    queries,
    operator,
    {
      password: await hasher.hash(given.password, { customer: operator, kind: 'operator' }),
      authenticator: keys.seal(given.key, String(operator)),
      usedStep: given.usedStep,
      codes: codes.map((code) => recoveryHashOf(keys, operator, code)),
    },
    now,
  );
  return codes;
}
