import type { Money } from '@sathorn/money';
import {
  arrayLiteral,
  column,
  type Database,
  type Queries,
  statement,
  table,
} from '../../../platform/database/index.ts';
import type { ApprovalCriteria, AuthorisedPayout } from './payout-guard.ts';

/** A payout that operators or the rules have approved. */
export interface ApprovedPayout {
  readonly id: string;
  readonly address: string;
  /** In units of the token. */
  readonly units: bigint;
}
/** Where a page of payouts ends. */
export interface PayoutPlace {
  readonly id: string;
  readonly created_at: Date;
}
interface Attempt {
  readonly withdrawal_id: string;
  readonly hash: string;
  readonly raw: string;
  readonly maxFee: bigint;
  /** True for a transaction without value to the wallet itself. */
  readonly isEmpty: boolean;
  readonly at: Date;
}
export interface InFlightPayout extends ApprovedPayout {
  readonly step: 'sending' | 'sent_unknown' | 'confirming';
  readonly nonce: number;
  /** True if two people decided that no block will include it. */
  readonly isLost: boolean;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
}

const { uuid, text, bigint, boolean, number, time, numeric, nullable } = column;
const PAYABLE = table<ApprovedPayout & PayoutPlace>({ id: uuid, address: text(), units: bigint, created_at: time });
const IN_FLIGHT = table<Omit<InFlightPayout, 'attempts'>>({
  id: uuid,
  address: text(),
  units: bigint,
  step: text(),
  nonce: number,
  isLost: boolean,
});
const ATTEMPTS = table<Attempt>({
  withdrawal_id: uuid,
  hash: text(),
  raw: text(),
  maxFee: numeric,
  isEmpty: boolean,
  at: time,
});

const READ_PAYABLE = statement(
  'signer.read_payable',
  `SELECT ${PAYABLE.names} FROM withdrawals.payable WHERE chain = $1
     AND ($2::timestamptz IS NULL OR (date_trunc('milliseconds', created_at), id) > ($2, $3::uuid))
   ORDER BY date_trunc('milliseconds', created_at), id LIMIT $4`,
);
const READ_IN_FLIGHT = statement(
  'signer.read_in_flight',
  `SELECT ${IN_FLIGHT.names} FROM withdrawals.in_flight WHERE chain = $1 ORDER BY nonce`,
);
const READ_ATTEMPTS = statement(
  'signer.read_attempts',
  `SELECT ${ATTEMPTS.names} FROM withdrawals.outbox WHERE withdrawal_id = ANY ($1::uuid[]) ORDER BY attempt`,
);
const LAST_NONCE = statement('signer.last_nonce', 'SELECT withdrawals.last_nonce($1, $2) AS nonce');
const RESERVE = statement(
  'signer.reserve',
  'INSERT INTO withdrawals.payout (withdrawal_id, chain, wallet, nonce) VALUES ($1, $2, $3, $4)',
);
const KEEP = statement(
  'signer.keep_attempt',
  'INSERT INTO withdrawals.outbox (hash, withdrawal_id, attempt, raw, max_fee, is_empty) VALUES ($1, $2, $3, $4, $5, $6)',
);

/** Oldest first, after a place. */
export const readApprovedPayouts = (
  queries: Queries,
  chain: string,
  after: PayoutPlace | null,
  limit: number,
): Promise<(ApprovedPayout & PayoutPlace)[]> =>
  PAYABLE.query(queries, READ_PAYABLE, [chain, after?.created_at ?? null, after?.id ?? null, limit]);

export async function readInFlightPayouts(queries: Queries, chain: string): Promise<InFlightPayout[]> {
  const rows = await IN_FLIGHT.query(queries, READ_IN_FLIGHT, [chain]);
  if (rows.length === 0) return [];
  const attempts = await ATTEMPTS.query(queries, READ_ATTEMPTS, [arrayLiteral(rows.map(({ id }) => id))]);
  return rows.map((row) => ({ ...row, attempts: attempts.filter((one) => one.withdrawal_id === row.id) }));
}

/** The next nonce of a wallet or a deposit address, as far as the database knows; 0 if it knows none. */
export async function readNextNonce(queries: Queries, chain: string, wallet: string): Promise<number> {
  const [row] = await queries.query<{ nonce: bigint }>(LAST_NONCE, [chain, wallet]);
  return Number(row?.nonce ?? -1) + 1;
}

const IS_RECONCILED = statement(
  'signer.is_reconciled',
  'SELECT withdrawals.unreconciled_since() IS NULL AS is_reconciled',
);
/** False from a restoration until two people have reconciled the books with the chain; nothing leaves in that time. */
export async function isRestorationReconciled(queries: Queries): Promise<boolean> {
  return (await queries.query<{ is_reconciled: boolean }>(IS_RECONCILED))[0]?.is_reconciled === true;
}

const READ_FOREIGN = statement(
  'signer.read_foreign',
  'SELECT hash, nonce, what FROM withdrawals.foreign_newest WHERE chain = $1 AND wallet = $2 ORDER BY nonce',
);
export interface ForeignTransaction {
  readonly hash: string;
  readonly nonce: number;
  /** Only `gas` needs no votes. */
  readonly what: 'foreign' | 'payout' | 'found' | 'gas' | 'sweep';
}
/** Transactions of the wallet since our last one that are not ours and that people have accounted for. */
export async function readForeignTransactions(
  queries: Queries,
  chain: string,
  wallet: string,
): Promise<ForeignTransaction[]> {
  const rows = await queries.query<Omit<ForeignTransaction, 'nonce'> & { nonce: bigint }>(READ_FOREIGN, [
    chain,
    wallet,
  ]);
  return rows.map((row) => ({ ...row, nonce: Number(row.nonce) }));
}

interface NewAttempt {
  readonly id: string;
  readonly hash: string;
  readonly raw: string;
  readonly maxFee: bigint;
}

/** Stores the nonce with the signed transaction, or neither. The database rejects a payout that is not approved. */
export async function reservePayout(
  database: Database,
  {
    id,
    chain,
    wallet,
    nonce,
    hash,
    raw,
    maxFee,
  }: NewAttempt & { readonly chain: string; readonly wallet: string; readonly nonce: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query(RESERVE, [id, chain, wallet, nonce]);
    await transaction.query(KEEP, [hash, id, 1, raw, maxFee, false]);
  });
}

/** Stores another attempt with the same nonce. */
export async function storePayoutAttempt(
  queries: Queries,
  { id, attempt, hash, raw, maxFee, isEmpty }: NewAttempt & { readonly attempt: number; readonly isEmpty: boolean },
): Promise<void> {
  await queries.query(KEEP, [hash, id, attempt, raw, maxFee, isEmpty]);
}

const READ_FINAL = statement(
  'signer.read_final',
  'SELECT hash, raw FROM withdrawals.final WHERE chain = $1 AND block_height >= $2 ORDER BY block_height, nonce LIMIT 1000',
);
/** Our final transactions from a block on, in the order of their nonces. */
export const readFinalTransactions = (
  queries: Queries,
  chain: string,
  height: number,
): Promise<{ readonly hash: string; readonly raw: string }[]> =>
  queries.query<{ hash: string; raw: string }>(READ_FINAL, [chain, height]);

interface PromisedRow {
  readonly id: string;
  readonly customer_id: bigint;
  readonly channel: string;
  readonly chain: string;
  readonly address: string;
  readonly payee_id: string;
  readonly amount: Money<'USDT'>;
  readonly fee: Money<'USDT'>;
  readonly quote: string | null;
  readonly people: number;
  readonly created_at: Date;
  readonly taken: bigint;
  readonly body: string | null;
  readonly signature: string | null;
  readonly key: string | null;
  readonly is_house: boolean;
  readonly is_reconciled: boolean;
}
const PROMISED = table<PromisedRow>({
  id: uuid,
  customer_id: bigint,
  channel: text(),
  chain: text(),
  address: text(),
  payee_id: text(),
  amount: column.money('USDT'),
  fee: column.money('USDT'),
  quote: nullable(uuid),
  people: number,
  created_at: time,
  taken: bigint,
  body: nullable(text()),
  signature: nullable(text()),
  key: nullable(text()),
  is_house: boolean,
  is_reconciled: column.computed('withdrawals.unreconciled_since() IS NULL', boolean),
});
const READ_PROMISED = statement(
  'signer.read_promised',
  `SELECT ${PROMISED.names} FROM withdrawals.promised WHERE id = ANY ($1::uuid[])`,
);
/** The withdrawals behind payouts, with the authorisation that the edge signed for each. */
export async function readAuthorisedPayouts(
  queries: Queries,
  ids: readonly string[],
): Promise<Map<string, AuthorisedPayout>> {
  if (ids.length === 0) return new Map();
  const rows = await PROMISED.query(queries, READ_PROMISED, [arrayLiteral(ids)]);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        withdrawal: row.id,
        customer: String(row.customer_id),
        channel: row.channel,
        chain: row.chain,
        address: row.address,
        payee: row.payee_id,
        amount: row.amount,
        fee: row.fee,
        quote: row.quote,
        atMs: row.created_at.getTime(),
        people: row.people,
        taken: row.taken,
        isHouse: row.is_house,
        isReconciled: row.is_reconciled,
        authorisation:
          row.body === null || row.signature === null || row.key === null
            ? null
            : { body: row.body, signature: row.signature, key: row.key },
      },
    ]),
  );
}

const READ_AGREED = statement(
  'signer.read_agreed',
  'SELECT operator, content FROM withdrawals.agreed WHERE subject = $1 AND kind = ANY ($2::text[])',
);
/** How many different operators agreed to exactly this, according to the database's rows. */
export async function countApprovers(queries: Queries, { subject, kinds, members }: ApprovalCriteria): Promise<number> {
  const rows = await queries.query<{ operator: bigint; content: string }>(READ_AGREED, [subject, arrayLiteral(kinds)]);
  const fits = (content: string): boolean => {
    const said = JSON.parse(content) as Readonly<Record<string, unknown>>;
    return Object.entries(members).every(([name, value]) => said[name] === value);
  };
  return new Set(rows.filter(({ content }) => fits(content)).map(({ operator }) => operator)).size;
}
