import type { Decision, PayeeRefusal } from '@sathorn/settlement';
import type { Messages } from '../../people/messages/index.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import { openSealer } from '../../platform/sealing.ts';
import { addPayeeHandler } from './add-payee.ts';
import { listPayeesHandler } from './list-payees.ts';
import { commitmentOf, digestOfWallet, openPayee, type Payee } from './payee.ts';
import {
  commitAddress,
  findRow,
  listHolders,
  listRows,
  listUncommitted,
  type PayeeRow,
  sharePayee,
} from './payee-store.ts';
import { quotePayeeRemovalHandler } from './quote-payee-removal.ts';
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

/** A saved wallet with its owner. */
export interface PayeeHolder {
  readonly id: string;
  readonly customer: bigint;
  readonly name: string;
  /** Opens the commitment that the database keeps of chain and address. */
  readonly opening: Buffer;
}

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
  /** Why an address must not be a payee; null if it may be one. */
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
  /** Whether both customers have, or had, the same bank account or wallet. */
  sharePayee(queries: Queries, one: bigint, other: bigint): Promise<boolean>;
  /** Demo mode only: gives a demo customer payees that are usable at once. Does nothing without a chain. */
  enrolDemo(customer: bigint, now: Date, holder?: DemoHolder): Promise<void>;
}

export function openPayees(dependencies: PayeesDependencies): Module<Payees> {
  const sealer = openSealer(dependencies.secrets.identityKey, 'payees');
  const room: PayeesRoom = { ...dependencies, sealer, onFault: dependencies.onFault ?? (() => undefined) };
  const commit = async (row: PayeeRow): Promise<void> => {
    const payee = openPayee(sealer, row);
    if (payee.kind === 'wallet') await commitAddress(room.database, row.id, commitmentOf(sealer, row.id, payee));
  };
  const api: Payees = {
    snapshotFor: async (queries, customer, id) => {
      const row = await findRow(queries, customer, id);
      if (row === null) return null;
      const payee = openPayee(sealer, row);
      if (payee.kind === 'wallet' && row.commitment === null) await commit(row);
      return payee;
    },
    sharePayee,
    holdersOf: async (queries, chain, address) =>
      (await listHolders(queries, digestOfWallet(sealer, { coin: 'USDT', chain, address }))).flatMap((row) => {
        const payee = openPayee(sealer, row);
        return payee.kind === 'wallet'
          ? [{ id: row.id, customer: row.owner, name: row.name, opening: payee.opening }]
          : [];
      }),
    listOf: async (queries, customer) => (await listRows(queries, customer)).map((row) => openPayee(sealer, row)),
    enrolDemo: async (customer, now, holder) => {
      const [chain] = room.chains();
      if (chain) await saveDemoPayees(room.database, sealer, { customer, chain: chain.code, now, holder });
    },
  };
  /** At the first start after the upgrade, before a stranger could fill in an address of their own. */
  const commitAll = async (signal: AbortSignal): Promise<void> => {
    let after = '';
    while (!signal.aborted) {
      const rows = await listUncommitted(room.database, after);
      // A row that was written by hand doesn't open. It stays without a commitment, so nothing is paid to it.
      for (const row of rows) await commit(row).catch(room.onFault);
      after = rows.at(-1)?.id ?? '';
      if (after === '') return;
    }
  };
  return {
    api,
    jobs: [{ on: 'housekeeper', run: (signal) => commitAll(signal).catch(room.onFault) }],
    handlers: [
      listPayeesHandler(room),
      addPayeeHandler(room),
      quotePayeeRemovalHandler(room),
      removePayeeHandler(room),
      renamePayeeHandler(room),
    ],
  };
}
