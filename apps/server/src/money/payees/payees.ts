import type { PayeeRefusal } from '@sathorn/settlement';
import type { Customers } from '../../people/customers/index.ts';
import type { Messages } from '../../people/messages/index.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { Payee } from './payee.ts';
import type { DemoHolder } from './save-demo-payees.ts';

/** The dependencies and state that all handlers of this module share. */
export type PayeesModule = Omit<PayeesDependencies, 'secrets' | 'onFault'> & {
  readonly sealer: Sealer;
  readonly onFault: (error: unknown) => void;
};

/** A chain for wallet payees. */
export interface PayeeChain {
  readonly code: string;
  readonly name: string;
  /** For example `ERC-20` or `BEP-20`. */
  readonly standard: string;
}

/** A copy of a payee that never changes, which a withdrawal stores. */
export type PayeeSnapshot = Payee;

/** A saved wallet with its owner. */
export interface PayeeHolder {
  readonly id: string;
  readonly customer: bigint;
  readonly name: string;
  /** Opens the stored commitment to chain and address. */
  readonly opening: Buffer;
}

export interface PayeesDependencies {
  readonly database: Database;
  readonly messages: Pick<Messages, 'send'>;
  readonly secrets: { readonly identityKey: Buffer };
  readonly customers: Pick<
    Customers,
    'hasPaymentPassword' | 'checkPaymentPassword' | 'checkSecondFactor' | 'accountState'
  >;
  /** Names on verified documents; empty while the customer is not certified. */
  readonly certifiedNames: (customer: bigint) => Promise<readonly string[]>;
  /** The chains on which withdrawals are paid. */
  readonly chains: () => readonly PayeeChain[];
  /** The refusal if an address must not be a payee; null if it may be one. */
  readonly refusalOfAddress: (customer: bigint, chain: string, address: string) => Promise<PayeeRefusal | null>;
  readonly onFault?: (error: unknown) => void;
}

export interface Payees {
  /** Null if the id is unknown, belongs to another customer or was removed. */
  snapshotFor(queries: Queries, customer: bigint, id: string): Promise<PayeeSnapshot | null>;
  /** All payees that were not removed, oldest first; for operators and for comparing addresses. */
  listOf(queries: Queries, customer: bigint): Promise<readonly PayeeSnapshot[]>;
  /** The customers who have, or had, this address as a wallet; those who still have it come first. */
  holdersOf(queries: Queries, chain: string, address: string): Promise<readonly PayeeHolder[]>;
  /** True if both customers have, or had, the same bank account or wallet. */
  sharePayee(queries: Queries, one: bigint, other: bigint): Promise<boolean>;
  /** Demo mode only: gives a demo customer payees that are usable at once. Does nothing without a chain. */
  enrolDemo(customer: bigint, now: Date, holder?: DemoHolder): Promise<void>;
}
