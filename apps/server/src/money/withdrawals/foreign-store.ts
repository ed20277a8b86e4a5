import type { ForeignOutput, ForeignPurpose } from '@sathorn/settlement';
import { column, type Queries, statement, table } from '../../platform/database/index.ts';

export type ForeignOutputRow = Omit<ForeignOutput, 'owners'>;
const LEFT = table<ForeignOutputRow>({
  output: column.integer,
  receiver: column.text(),
  units: column.bigint,
  isHouse: column.boolean,
  withdrawals: column.list('withdrawals'),
});
const READ_LEFT = statement('withdrawals.left_by_hand', `SELECT ${LEFT.names} FROM withdrawals.left_by_hand($1, $2)`);
/** USDT that left the wallet in this transaction, and that neither a payout nor two people explain. */
export const readUnexplainedOutputs = (queries: Queries, chain: string, hash: string): Promise<ForeignOutputRow[]> =>
  LEFT.query(queries, READ_LEFT, [chain, hash]);

const HAS_READ = statement('withdrawals.has_read', 'SELECT withdrawals.has_read($1, $2) AS is');
/** True once the reader of the chain has read this block. */
export const hasReadBlock = async (queries: Queries, chain: string, height: number): Promise<boolean> =>
  (await queries.query<{ is: boolean }>(HAS_READ, [chain, height]))[0]?.is === true;

const IS_EXPLAINED = statement(
  'withdrawals.is_explained',
  `SELECT EXISTS (SELECT FROM withdrawals.foreign_transaction WHERE hash = $1) OR EXISTS (SELECT FROM withdrawals.outbox WHERE hash = $1)
     OR EXISTS (SELECT FROM withdrawals.sending_attempt WHERE hash = $1) AS is`,
);
/** True if this database's signer has signed it, or if two people have accounted for it. */
export const isTransactionExplained = async (queries: Queries, hash: string): Promise<boolean> =>
  (await queries.query<{ is: boolean }>(IS_EXPLAINED, [hash]))[0]?.is === true;

interface TransferRow {
  readonly chain: string;
  readonly hash: string;
  readonly output: number;
  readonly receiver: string;
  readonly units: bigint;
  readonly purpose: ForeignPurpose;
  readonly withdrawal_id: string | null;
  /** The customer whose withdrawal the transfer paid, according to two people; null if it paid none. */
  readonly customer_id: bigint | null;
  readonly payee_id: string | null;
  readonly approval: string;
}
const TRANSFER = table<TransferRow>({
  chain: column.text(),
  hash: column.text(),
  output: column.integer,
  receiver: column.text(),
  units: column.bigint,
  purpose: column.text(),
  withdrawal_id: column.nullable(column.uuid),
  customer_id: column.nullable(column.bigint),
  payee_id: column.nullable(column.text()),
  approval: column.uuid,
});
const KEEP_TRANSFER = statement(
  'withdrawals.keep_foreign_transfer',
  `INSERT INTO withdrawals.foreign_transfer (chain, hash, output, receiver, units, purpose, withdrawal_id, customer_id, payee_id, payee_opening, approval)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
/**
 * The database refuses it without two people's decision, or if the wallet sent something else. `opening` opens the
 * payee's commitment to its address.
 */
export async function storeForeignTransfer(queries: Queries, row: TransferRow, opening: Buffer | null): Promise<void> {
  const { chain, hash, output, receiver, units, purpose, withdrawal_id, customer_id, payee_id, approval } = row;
  await queries.query(KEEP_TRANSFER, [
    chain,
    hash,
    output,
    receiver,
    units,
    purpose,
    withdrawal_id,
    customer_id,
    payee_id,
    opening,
    approval,
  ]);
}

const READ_UNBOOKED = statement(
  'withdrawals.read_unbooked',
  `SELECT ${TRANSFER.names} FROM withdrawals.foreign_transfer WHERE journal IS NULL AND purpose <> 'payout' ORDER BY at, output LIMIT 100`,
);
export const readUnbookedTransfers = (queries: Queries): Promise<TransferRow[]> =>
  TRANSFER.query(queries, READ_UNBOOKED, []);
const BOOK = statement(
  'withdrawals.book_foreign',
  'UPDATE withdrawals.foreign_transfer SET journal = $4, shortfall = $5 WHERE chain = $1 AND hash = $2 AND output = $3',
);
export async function markTransferBooked(
  queries: Queries,
  { chain, hash, output }: Pick<TransferRow, 'chain' | 'hash' | 'output'>,
  journal: string,
  /** The amount that the owner's balance lacked, for a found withdrawal. */
  shortfall: bigint | null = null,
): Promise<void> {
  await queries.query(BOOK, [chain, hash, output, journal, shortfall]);
}

export interface PaidByHand {
  readonly id: string;
  readonly hash: string;
  readonly block_height: bigint;
  readonly block_hash: string;
}
const PAID = table<PaidByHand>({
  id: column.uuid,
  hash: column.text(),
  block_height: column.bigint,
  block_hash: column.text(),
});
const READ_PAID = statement('withdrawals.read_paid_by_hand', `SELECT ${PAID.names} FROM withdrawals.paid_by_hand`);
export const readPaidByHand = (queries: Queries): Promise<PaidByHand[]> => PAID.query(queries, READ_PAID, []);
const PLACE = statement(
  'withdrawals.place_paid_by_hand',
  'UPDATE withdrawals.withdrawal SET hash = $2, block_height = $3, block_hash = $4 WHERE id = $1',
);
export async function storePaidByHandBlock(queries: Queries, paid: PaidByHand): Promise<void> {
  await queries.query(PLACE, [paid.id, paid.hash, paid.block_height, paid.block_hash]);
}

const END_HALT = statement('withdrawals.end_foreign_halt', 'SELECT withdrawals.end_foreign_halt() AS is');
/** Resumes money if only transfers that two people have accounted for had halted it. */
export const endForeignHalt = async (queries: Queries): Promise<boolean> =>
  (await queries.query<{ is: boolean }>(END_HALT, []))[0]?.is === true;
