import type { CoinCode, Price } from '@sathorn/money';
import type { Database } from '../database/index.ts';
import type { CodeBudget } from './codes/code-budget.ts';
import type { Codes } from './codes/codes.ts';
import type { KeyedHash } from './keyed-hash.ts';
import type { LedgerReader } from './ledger-port.ts';
import type { Allowances } from './limits/allowances.ts';
import type { CustomerLimits } from './limits/customer-limits.ts';
import type { LoginLimits } from './limits/login-limits.ts';
import type { Messages } from './messages-port.ts';
import type { Areas } from './names/contact.ts';
import type { OpaqueIds } from './opaque-ids.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import type { PaymentPasswords } from './passwords/payment-passwords.ts';
import type { Sessions } from './sessions/sessions.ts';

export interface Brand {
  readonly name: string;
  readonly areas: Areas;
  readonly inviteRequired: boolean;
  /** Codes of the house, in upper case; they name no inviter. */
  readonly inviteCodes: ReadonlySet<string>;
}

/** The parts of this room, as its handlers use them. */
export interface Room {
  readonly mode: 'demo' | 'live';
  readonly brand: Brand;
  readonly database: Database;
  readonly keyedHash: KeyedHash;
  readonly opaqueIds: OpaqueIds;
  readonly limits: CustomerLimits;
  readonly allowances: Allowances;
  readonly loginLimits: LoginLimits;
  readonly hasher: PasswordHasher;
  readonly paymentPasswords: PaymentPasswords;
  readonly codeBudget: CodeBudget;
  readonly codes: Codes;
  readonly outbox: Outbox;
  readonly sessions: Sessions;
  readonly ledger: LedgerReader;
  /** The newest index of a coin; null before the first. */
  readonly priceOf: (coin: CoinCode) => Price | null;
  readonly messages: Messages;
  /** Told of what went wrong where a customer's call should not fail for it. */
  readonly onFault: (error: unknown) => void;
}

const rooms = new WeakMap<object, Room>();

/** Keeps the parts behind the door that others see. */
export function furnish<Door extends object>(door: Door, room: Room): Door {
  rooms.set(door, room);
  return door;
}

export function roomOf(door: object): Room {
  const room = rooms.get(door);
  if (!room) throw new Error('not a door of this room');
  return room;
}
