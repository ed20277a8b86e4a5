import { argon2, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Semaphore } from '../../../platform/semaphore.ts';

/** argon2id's cost. The default is OWASP's recommendation: 19 MiB, two passes, one lane. */
export interface PasswordCost {
  readonly memoryKiB: number;
  readonly passes: number;
}
export const PASSWORD_COST: PasswordCost = { memoryKiB: 19_456, passes: 2 };

const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Limit of waiting passwords, about five seconds of work; later callers must try again. */
const WAITING_MAX = 256;

/**
 * The customer (or operator) and the kind of password. The hash includes both, so a hash that is copied to another row
 * does not match there.
 */
interface PasswordOwner {
  readonly customer: bigint;
  readonly kind: 'login' | 'payment' | 'operator';
}

export interface PasswordHasher {
  /** False if the queue is so long that another password would wait for seconds. */
  hasRoom(): boolean;
  /** Returns one string with everything but the pepper: algorithm, cost, pepper id, salt, hash. */
  hash(password: string, owner: PasswordOwner): Promise<string>;
  verify(password: string, hash: string, owner: PasswordOwner): Promise<PasswordVerdict>;
  /** Takes as long as `verify` and always fails; used if the customer does not exist. */
  verifyNobody(password: string): Promise<PasswordVerdict>;
}

interface PasswordVerdict {
  readonly isRight: boolean;
  /** True if the hash was made with an older pepper or cost; the caller should then hash the password again. */
  readonly isOutdated: boolean;
}

interface HasherOptions {
  /** Newest first. Older peppers verify the passwords that were hashed with them. */
  readonly peppers: readonly [Buffer, ...Buffer[]];
  readonly cost?: PasswordCost;
}

interface Parsed extends PasswordCost {
  readonly pepperId: string;
  readonly salt: Buffer;
  readonly mac: Buffer;
}

/** Identifies a pepper without revealing it. */
const pepperIdOf = (pepper: Buffer): string =>
  createHash('sha256').update('sathorn pepper id').update(pepper).digest('hex').slice(0, 8);

const FORM =
  /^\$argon2id\$v=19\$m=([0-9]{1,8}),t=([0-9]{1,3}),p=1\$([0-9a-f]{8})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;

function parseHash(text: string): Parsed {
  const [, memoryKiB, passes, pepperId, salt, mac] = FORM.exec(text) ?? [];
  if (!memoryKiB || !passes || !pepperId || !salt || !mac) throw new Error('a stored password hash is malformed');
  return {
    memoryKiB: Number(memoryKiB),
    passes: Number(passes),
    pepperId,
    salt: Buffer.from(salt, 'base64url'),
    mac: Buffer.from(mac, 'base64url'),
  };
}

/**
 * Hashes with argon2id off the main thread, a few at a time, then HMAC-SHA256 with a pepper from outside the database.
 */
export function createPasswordHasher({ peppers, cost = PASSWORD_COST }: HasherOptions): PasswordHasher {
  const hashing = new Semaphore(Math.max(2, availableParallelism() - 1));
  const byId = new Map(peppers.map((pepper) => [pepperIdOf(pepper), pepper]));
  const newestId = pepperIdOf(peppers[0]);
  const nobodysSalt = randomBytes(SALT_BYTES);

  const argonKey = (password: string, salt: Buffer, { memoryKiB, passes }: PasswordCost): Promise<Buffer> =>
    hashing.run(
      () =>
        new Promise((resolve, reject) => {
          const parameters = {
            message: Buffer.from(password),
            nonce: salt,
            parallelism: 1,
            tagLength: KEY_BYTES,
            memory: memoryKiB,
            passes,
          };
          argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)));
        }),
    );
  const peppered = (key: Buffer, pepper: Buffer, { customer, kind }: PasswordOwner): Buffer =>
    createHmac('sha256', pepper).update(`${kind}:${customer}:`).update(key).digest();

  return {
    hasRoom: () => hashing.waiting < WAITING_MAX,

    hash: async (password, owner) => {
      const salt = randomBytes(SALT_BYTES);
      const mac = peppered(await argonKey(password, salt, cost), peppers[0], owner);
      return `$argon2id$v=19$m=${cost.memoryKiB},t=${cost.passes},p=1$${newestId}$${salt.toString('base64url')}$${mac.toString('base64url')}`;
    },

    verify: async (password, hash, owner) => {
      const parsed = parseHash(hash);
      const pepper = byId.get(parsed.pepperId);
      if (!pepper)
        throw new Error(`a password was hashed with pepper ${parsed.pepperId}, which the secrets do not have`);
      const mac = peppered(await argonKey(password, parsed.salt, parsed), pepper, owner);
      const isOutdated =
        parsed.pepperId !== newestId || parsed.memoryKiB !== cost.memoryKiB || parsed.passes !== cost.passes;
      return { isRight: timingSafeEqual(mac, parsed.mac), isOutdated };
    },

    verifyNobody: async (password) => {
      peppered(await argonKey(password, nobodysSalt, cost), peppers[0], { customer: 0n, kind: 'login' });
      return { isRight: false, isOutdated: false };
    },
  };
}
