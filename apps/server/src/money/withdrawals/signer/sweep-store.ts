import {
  arrayLiteral,
  column,
  type Database,
  type Queries,
  statement,
  table,
} from '../../../platform/database/index.ts';

/** Credited money that is still at one deposit address. */
interface SweepableAddress {
  readonly address: string;
  readonly index: number;
  /** In units of the token. */
  readonly units: bigint;
  /** Coins of the chain that belong to the customer. */
  readonly kept: bigint;
}
/** A transfer that people decided to send back from a deposit address. */
interface ReturnableDeposit {
  readonly deposit: string;
  readonly address: string;
  readonly index: number;
  readonly receiver: string;
  /** Null for the chain's own coin, from which the gas is deducted. */
  readonly token: string | null;
  readonly units: bigint;
  /** Other coins of the customer at this address. */
  readonly kept: bigint;
}
interface SendingAttempt {
  readonly sending_id: string;
  readonly hash: string;
  readonly raw: string;
  readonly maxFee: bigint;
  readonly at: Date;
}
/** A transaction that was sent and is not final. */
export interface PendingSending {
  readonly id: string;
  readonly kind: 'gas' | 'sweep' | 'return' | 'run' | 'surplus';
  readonly sender: string;
  readonly receiver: string;
  readonly nonce: number;
  /** Null for the chain's own coin. */
  readonly token: string | null;
  readonly units: bigint;
  /** The payment run of the treasury that the transaction executes; null for other kinds. */
  readonly run: string | null;
  /** The index of the sending deposit address; null for the wallet. */
  readonly index: number | null;
  /** Oldest first. */
  readonly attempts: readonly SendingAttempt[];
}

const { uuid, text, integer, number, numeric, time, nullable } = column;
const keptAt = (of: string): string =>
  `coalesce((SELECT k.units FROM withdrawals.kept_coins k WHERE k.chain = ${of}.chain AND k.address = ${of}.address), 0)`;
const SWEEPABLE = table<SweepableAddress>({
  address: text(),
  index: integer,
  units: numeric,
  kept: column.computed(keptAt('s'), numeric),
});
const RETURNABLE = table<ReturnableDeposit>({
  deposit: uuid,
  address: text(),
  index: integer,
  receiver: text(),
  token: nullable(text()),
  units: column.computed('amount', numeric),
  kept: column.computed(`${keptAt('r')} - CASE WHEN r.token IS NULL THEN r.amount ELSE 0 END`, numeric),
});
const SENDINGS = table<Omit<PendingSending, 'attempts'>>({
  id: uuid,
  kind: text(),
  sender: text(),
  receiver: text(),
  nonce: number,
  token: nullable(text()),
  units: numeric,
  run: nullable(uuid),
  index: nullable(integer),
});
const ATTEMPTS = table<SendingAttempt>({ sending_id: uuid, hash: text(), raw: text(), maxFee: numeric, at: time });

// Skips an address for a while after the chain refused its last sweep, because each attempt costs gas.
const READ_SWEEPABLE = statement(
  'signer.read_sweepable',
  `SELECT ${SWEEPABLE.names} FROM withdrawals.sweepable s WHERE chain = $1 AND token = $2 AND units >= $3
     AND NOT EXISTS (SELECT FROM withdrawals.sending f WHERE f.chain = s.chain AND f.sender = s.address AND f.step = 'failed' AND f.finished_at > clock_timestamp() - interval '6 hours')
   ORDER BY units DESC, address LIMIT $4`,
);
const READ_SENDINGS = statement(
  'signer.read_sendings',
  `SELECT ${SENDINGS.names} FROM withdrawals.sending_open WHERE chain = $1 ORDER BY at, id`,
);
const READ_ATTEMPTS = statement(
  'signer.read_sending_attempts',
  `SELECT ${ATTEMPTS.names} FROM withdrawals.sending_attempt WHERE sending_id = ANY ($1::uuid[]) ORDER BY attempt`,
);
const RESERVE = statement(
  'signer.reserve_sending',
  `INSERT INTO withdrawals.sending (id, chain, kind, sender, receiver, nonce, token, units, deposit_id, run)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
const KEEP = statement(
  'signer.keep_sending_attempt',
  'INSERT INTO withdrawals.sending_attempt (hash, sending_id, attempt, raw, max_fee) VALUES ($1, $2, $3, $4, $5)',
);

export const readSweepableAddresses = (
  queries: Queries,
  chain: string,
  token: string,
  least: bigint,
  limit: number,
): Promise<SweepableAddress[]> => SWEEPABLE.query(queries, READ_SWEEPABLE, [chain, token, least, limit]);

const READ_RETURNABLE = statement(
  'signer.read_returnable',
  `SELECT ${RETURNABLE.names} FROM withdrawals.returnable r WHERE chain = $1 AND ($2::uuid IS NULL OR deposit > $2) ORDER BY deposit LIMIT $3`,
);
export const readReturnableDeposits = (
  queries: Queries,
  chain: string,
  after: string | null,
  limit: number,
): Promise<ReturnableDeposit[]> => RETURNABLE.query(queries, READ_RETURNABLE, [chain, after, limit]);

export async function readPendingSendings(queries: Queries, chain: string): Promise<PendingSending[]> {
  const rows = await SENDINGS.query(queries, READ_SENDINGS, [chain]);
  if (rows.length === 0) return [];
  const attempts = await ATTEMPTS.query(queries, READ_ATTEMPTS, [arrayLiteral(rows.map(({ id }) => id))]);
  return rows.map((row) => ({ ...row, attempts: attempts.filter((one) => one.sending_id === row.id) }));
}

interface NewAttempt {
  readonly id: string;
  readonly hash: string;
  readonly raw: string;
  readonly maxFee: bigint;
}
export type NewSending = NewAttempt &
  Omit<PendingSending, 'attempts' | 'index'> & { readonly chain: string; readonly deposit: string | null };

/** Stores the sending, its nonce and the signed transaction in one transaction of the database. */
export async function reserveSending(database: Database, sending: NewSending): Promise<void> {
  const { id, chain, kind, sender, receiver, nonce, token, units, deposit, run, hash, raw, maxFee } = sending;
  await database.transaction(async (transaction) => {
    await transaction.query(RESERVE, [id, chain, kind, sender, receiver, nonce, token, units, deposit, run]);
    await transaction.query(KEEP, [hash, id, 1, raw, maxFee]);
  });
}

/** Stores another attempt with the same nonce. */
export async function storeSendingAttempt(
  queries: Queries,
  { id, attempt, hash, raw, maxFee }: NewAttempt & { readonly attempt: number },
): Promise<void> {
  await queries.query(KEEP, [hash, id, attempt, raw, maxFee]);
}
