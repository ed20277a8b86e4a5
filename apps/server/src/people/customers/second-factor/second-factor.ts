import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { accept, type Decision, decideFactorProof, isBegunBefore, refuse } from '@sathorn/settlement';
import { authenticatorUri, encodeBase32, newAuthenticatorKey, stepOfCode } from '../../../platform/authenticator.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Sealer } from '../../../platform/sealing.ts';
import { passkeyRequestOptions, type RelyingParty } from '../../../platform/webauthn.ts';
import { lockCustomer } from '../customer-store.ts';
import type { KeyedHash } from '../keyed-hash.ts';
import type { CustomerLimits } from '../limits/customer-limits.ts';
import type { StoredRateLimiter } from '../limits/stored-rate-limiter.ts';
import type { GuardedOperation, StepUpRefusal } from './guarded-operation.ts';
import { findAnsweringPasskey } from './passkeys.ts';
import {
  answerChallenge,
  beginSecondFactor,
  type ChallengeRow,
  confirmSecondFactorRow,
  dropSecondFactor,
  insertChallenge,
  listPasskeys,
  markFactorsChanged,
  readFactorsChangedAt,
  readSecondFactorRow,
  replaceRecoveryCodes,
  type SecondFactorRow,
  spendProofHash,
  spendRecoveryCode,
  storeProofHash,
  useFactorStep,
} from './second-factor-store.ts';

/** How long a challenge may wait for its answer, and a proof for its use. */
const CHALLENGE_LIFE_MS = 120_000;
const CODES = 10;
/** Excludes letters and digits that look alike. */
const CODE_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODE_HALF = 5;
/** The key of the limit for the first code, which activates the app. */
const CONFIRM = 'confirm';
const PROOF = /^[0-9a-f]{32}$/;

export type FactorRefusal = 'second_factor_wrong' | 'second_factor_delayed';
type UsedFactor = 'authenticator' | 'recovery_code';

export interface SecondFactor {
  /** True if an authenticator app is active, so that signing in with a password requires its code. */
  hasAuthenticator(customer: bigint): Promise<boolean>;
  /** True with an authenticator app or a passkey. One is required to withdraw and to change factors or contacts. */
  hasFactor(customer: bigint): Promise<boolean>;
  start(
    customer: { readonly id: bigint; readonly username: string },
    now: Date,
  ): Promise<Decision<{ readonly key: string; readonly uri: string }, 'second_factor_on'>>;
  confirm(
    customer: bigint,
    otp: string,
    now: Date,
  ): Promise<Decision<readonly string[], FactorRefusal | 'second_factor_on' | 'second_factor_off'>>;
  stop(customer: bigint, now: Date): Promise<void>;
  newRecoveryCodes(customer: bigint): Promise<readonly string[]>;
  /**
   * Makes one try of a code. Each try is counted before it is checked, and a correct code works once. Recovery codes
   * are accepted only for signing in and for deactivating the app.
   */
  check(
    customer: bigint,
    otp: string,
    options: { readonly takesRecoveryCode: boolean; readonly place: string },
    now: Date,
  ): Promise<Decision<UsedFactor, FactorRefusal>>;
  startStep(
    customer: bigint,
    operation: GuardedOperation,
    now: Date,
  ): Promise<
    Decision<
      { challenge: ChallengeRow; options: string; authenticator: boolean; passkey: boolean },
      'second_factor_off'
    >
  >;
  finishStep(
    customer: bigint,
    answer: { readonly id: string; readonly otp: string | undefined; readonly credential: string | undefined },
    now: Date,
  ): Promise<Decision<{ proof: string; expiresAt: Date }, FactorRefusal | 'challenge_expired' | 'passkey_refused'>>;
  /**
   * Accepts customers with neither authenticator nor passkey. For others it takes a proof, or an authenticator code; to
   * deactivate the app, also a recovery code.
   */
  checkOperation(
    customer: bigint,
    operation: GuardedOperation,
    proof: string | undefined,
    now: Date,
  ): Promise<Decision<null, StepUpRefusal>>;
}

interface SecondFactorDependencies {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly keyedHash: KeyedHash;
  readonly rateLimiter: StoredRateLimiter;
  readonly limits: CustomerLimits;
  readonly party: RelyingParty;
}

const boundTo = (startedAt: Date): string[] => ['authenticator', startedAt.toISOString()];

const digestOf = ({ kind, subject }: GuardedOperation): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([kind, subject]))
    .digest();

function newRecoveryCode(): string {
  const letters = Array.from({ length: 2 * CODE_HALF }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)] ?? '');
  return `${letters.slice(0, CODE_HALF).join('')}-${letters.slice(CODE_HALF).join('')}`;
}

export function openSecondFactor(room: SecondFactorDependencies): SecondFactor {
  const { database, sealer, keyedHash, rateLimiter, limits, party } = room;
  const keyOf = (row: SecondFactorRow): Buffer => sealer.open(row.customer, boundTo(row.started_at), row.sealed);
  const codeHash = (customer: bigint, code: string): Buffer =>
    keyedHash('second.recovery', String(customer), code.toLowerCase().replace(/[^a-z0-9]/g, ''));
  /** Keyed with customer and operation, so that a proof copied into another row proves nothing. */
  const proofHash = (customer: bigint, operation: Buffer, proof: string): Buffer =>
    keyedHash('second.proof', String(customer), operation.toString('hex'), proof);

  /** Counts the try as wrong first, so that parallel guesses cannot exceed the limit. */
  const charge = async (
    customer: bigint,
    place: string,
    now: Date,
  ): Promise<Decision<null, 'second_factor_delayed'>> => {
    const exceeded = await rateLimiter.take([tries(customer, place)], now);
    if (!exceeded) return accept(null);
    return refuse('second_factor_delayed', { params: { wait: String(Math.ceil(exceeded.retryAfterMs / 1_000)) } });
  };
  const tries = (customer: bigint, place: string) =>
    ({ subject: ['second.try', String(customer), place], limit: limits.secondFactor }) as const;

  const check: SecondFactor['check'] = async (customer, otp, { takesRecoveryCode, place }, now) => {
    const charged = await charge(customer, place, now);
    if (!charged.ok) return charged;
    const row = await readSecondFactorRow(database, customer);
    const code = otp.replace(/\s/g, '');
    // A factor that is being set up can confirm only its own activation.
    const isOn = row !== null && (row.confirmed_at !== null || place === CONFIRM);
    const step = isOn ? stepOfCode(keyOf(row), code, now, Number(row.used_step)) : null;
    if (step !== null && (await useFactorStep(database, customer, step))) {
      await rateLimiter.reset([tries(customer, place).subject]);
      return accept('authenticator');
    }
    if (
      takesRecoveryCode &&
      row?.confirmed_at &&
      (await spendRecoveryCode(database, customer, codeHash(customer, code), now))
    ) {
      await rateLimiter.reset([tries(customer, place).subject]);
      return accept('recovery_code');
    }
    return refuse('second_factor_wrong');
  };
  const hasAuthenticator = async (customer: bigint): Promise<boolean> =>
    (await readSecondFactorRow(database, customer))?.confirmed_at != null;

  return {
    hasAuthenticator,
    hasFactor: async (customer) =>
      (await hasAuthenticator(customer)) || (await listPasskeys(database, customer)).length > 0,
    check,

    start: async ({ id, username }, now) => {
      const key = newAuthenticatorKey();
      if (!(await beginSecondFactor(database, id, sealer.seal(id, boundTo(now), key), now)))
        return refuse('second_factor_on');
      return accept({ key: encodeBase32(key), uri: authenticatorUri(key, party.name, username) });
    },

    confirm: async (customer, otp, now) => {
      const row = await readSecondFactorRow(database, customer);
      if (!row) return refuse('second_factor_off');
      if (row.confirmed_at) return refuse('second_factor_on');
      const checked = await check(customer, otp, { takesRecoveryCode: false, place: CONFIRM }, now);
      if (!checked.ok) return { ...checked, field: 'otp' };
      const codes = Array.from({ length: CODES }, newRecoveryCode);
      const refusal = await database.transaction(async (transaction) => {
        await lockCustomer(transaction, customer);
        if (isBegunBefore(row.started_at, await readFactorsChangedAt(transaction, customer)))
          return 'second_factor_off';
        if (!(await confirmSecondFactorRow(transaction, row, now))) return 'second_factor_on';
        await replaceRecoveryCodes(
          transaction,
          customer,
          codes.map((code) => codeHash(customer, code)),
        );
        await markFactorsChanged(transaction, customer, now);
        return null;
      });
      return refusal === null ? accept(codes) : refuse(refusal);
    },

    stop: (customer, now) =>
      database.transaction(async (transaction) => {
        await dropSecondFactor(transaction, customer);
        await markFactorsChanged(transaction, customer, now);
      }),

    newRecoveryCodes: async (customer) => {
      const codes = Array.from({ length: CODES }, newRecoveryCode);
      await database.transaction((transaction) =>
        replaceRecoveryCodes(
          transaction,
          customer,
          codes.map((code) => codeHash(customer, code)),
        ),
      );
      return codes;
    },

    startStep: async (customer, operation, now) => {
      const [passkeys, authenticator] = await Promise.all([
        listPasskeys(database, customer),
        hasAuthenticator(customer),
      ]);
      if (passkeys.length === 0 && !authenticator) return refuse('second_factor_off');
      const options = await passkeyRequestOptions(party, passkeys);
      const challenge: ChallengeRow = {
        id: randomUUID(),
        purpose: 'step',
        customer,
        operation: digestOf(operation),
        challenge: options.challenge,
        expires_at: new Date(now.getTime() + CHALLENGE_LIFE_MS),
      };
      await insertChallenge(database, challenge);
      return accept({ challenge, options: JSON.stringify(options), authenticator, passkey: passkeys.length > 0 });
    },

    finishStep: async (customer, { id, otp, credential }, now) => {
      const challenge = await answerChallenge(database, { id, purpose: 'step', customer }, now);
      if (!challenge) return refuse('challenge_expired');
      if (credential !== undefined) {
        const passkey = await findAnsweringPasskey(database, room, challenge.challenge, credential, now);
        if (passkey?.customer !== customer) return refuse('passkey_refused');
      } else {
        const checked = await check(customer, otp ?? '', { takesRecoveryCode: false, place: 'step' }, now);
        if (!checked.ok) return { ...checked, field: 'otp' };
      }
      const proof = randomBytes(16).toString('hex');
      await storeProofHash(database, id, proofHash(customer, challenge.operation ?? Buffer.alloc(0), proof));
      return accept({ proof, expiresAt: challenge.expires_at });
    },

    checkOperation: async (customer, operation, proof, now) => {
      const [passkeys, authenticator] = await Promise.all([
        listPasskeys(database, customer),
        hasAuthenticator(customer),
      ]);
      const takesRecoveryCode = operation.kind === 'authenticator_stop';
      const factors = { hasAuthenticator: authenticator, passkeys: passkeys.length, takesRecoveryCode };
      // If nothing has to be proved, no try is counted and no code is used up.
      if (proof === undefined || decideFactorProof({ ...factors, proof: null }).ok)
        return decideFactorProof({ ...factors, proof: null });
      if (PROOF.test(proof)) {
        const digest = digestOf(operation);
        const spent = { hash: proofHash(customer, digest, proof), customer, operation: digest };
        const isSpent = await spendProofHash(database, spent, now);
        return decideFactorProof({ ...factors, proof: isSpent ? 'factor' : 'wrong' });
      }
      const checked = await check(customer, proof, { takesRecoveryCode, place: 'step' }, now);
      if (!checked.ok && checked.refusal === 'second_factor_delayed') return checked;
      if (!checked.ok) return decideFactorProof({ ...factors, proof: 'wrong' });
      return decideFactorProof({ ...factors, proof: checked.effect === 'recovery_code' ? 'recovery_code' : 'factor' });
    },
  };
}
