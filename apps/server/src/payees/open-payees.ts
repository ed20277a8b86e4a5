import type { Decision } from '@sathorn/settlement';
import type { Database, Queries } from '../database/index.ts';
import type { Messages } from '../messages/index.ts';
import type { Module } from '../module.ts';
import { openSealer } from '../sealing.ts';
import { addPayeeHandler } from './add-payee.ts';
import { listPayeesHandler } from './list-payees.ts';
import { openPayee, type Payee } from './payee.ts';
import { findRow, listRows, sharePayee } from './payee-store.ts';
import { removePayeeHandler } from './remove-payee.ts';
import { renamePayeeHandler } from './rename-payee.ts';
import type { PayeesRoom } from './room.ts';
import { type DemoHolder, saveDemoPayees } from './save-demo-payees.ts';

/** A chain for wallet payees. */
export interface Chain {
  readonly code: string;
  readonly name: string;
  /** Such as `ERC-20` or `BEP-20`. */
  readonly standard: string;
}

/** A copy that never changes, which a withdrawal keeps of its payee. */
export type PayeeSnapshot = Payee;

export type StepUpRefusal = 'second_factor_required' | 'second_factor_wrong' | 'second_factor_delayed';

export interface PayeesDependencies {
  readonly database: Database;
  readonly messages: Pick<Messages, 'send'>;
  readonly secrets: { readonly identityKey: Buffer };
  readonly customers: {
    hasPaymentPassword(customer: bigint): Promise<boolean>;
    checkPaymentPassword(
      customer: bigint,
      paypass: string,
      now: Date,
    ): Promise<Decision<null, 'paypass_wrong' | 'paypass_locked'>>;
    /** Accepts customers without a second factor. */
    checkSecondFactor(
      customer: bigint,
      operation: { readonly kind: 'payee'; readonly subject: string },
      proof: string | undefined,
      now: Date,
    ): Promise<Decision<null, StepUpRefusal>>;
    accountState(customer: bigint, now: Date): Promise<{ readonly frozen: boolean }>;
  };
  /** Names on verified documents; empty while the customer is not certified. */
  readonly certifiedNames: (customer: bigint) => Promise<readonly string[]>;
  /** The chains on which withdrawals are paid. */
  readonly chains: () => readonly Chain[];
  /**
   * Addresses that must not be payees: the customer's own deposit address, from which the money would only come back,
   * and contracts, where it would be lost.
   */
  readonly roleOfAddress: (
    customer: bigint,
    chain: string,
    address: string,
  ) => Promise<'own_deposit' | 'contract' | null>;
  readonly onFault?: (error: unknown) => void;
}

export interface Payees {
  /** Null if the id is unknown, belongs to another customer or was removed. */
  snapshotFor(queries: Queries, customer: bigint, id: string): Promise<PayeeSnapshot | null>;
  /** All payees that were not removed, oldest first; for operators and for comparing addresses. */
  listOf(queries: Queries, customer: bigint): Promise<readonly PayeeSnapshot[]>;
  /** Whether both customers have, or had, the same bank account or wallet. */
  sharePayee(queries: Queries, one: bigint, other: bigint): Promise<boolean>;
  /** Demo mode only: gives a demo customer payees that are usable at once. Does nothing without a chain. */
  enrolDemo(customer: bigint, now: Date, holder?: DemoHolder): Promise<void>;
}

export function openPayees(dependencies: PayeesDependencies): Module<Payees> {
  const sealer = openSealer(dependencies.secrets.identityKey, 'payees');
  const room: PayeesRoom = { ...dependencies, sealer, onFault: dependencies.onFault ?? (() => undefined) };
  const api: Payees = {
    snapshotFor: async (queries, customer, id) => {
      const row = await findRow(queries, customer, id);
      return row && openPayee(sealer, row);
    },
    sharePayee,
    listOf: async (queries, customer) => (await listRows(queries, customer)).map((row) => openPayee(sealer, row)),
    enrolDemo: async (customer, now, holder) => {
      const [chain] = room.chains();
      if (chain) await saveDemoPayees(room.database, sealer, { customer, chain: chain.code, now, holder });
    },
  };
  return {
    api,
    handlers: [listPayeesHandler(room), addPayeeHandler(room), removePayeeHandler(room), renamePayeeHandler(room)],
  };
}
