import { column, type Queries, type RowOf, statement, table } from '../../platform/database/index.ts';

const { text, bigint, numeric, number, integer, time, nullable } = column;

/** A restoration whose books two people have not reconciled with the chain yet. */
export interface Restoration {
  readonly restoration: bigint;
  readonly since: Date;
  /** `ends_at` is the newest record of the copy, `known_at` the newest that the backup knows of. */
  readonly ends_at: Date;
  readonly known_at: Date;
}
const RESTORATION = table<Restoration>({ restoration: bigint, since: time, ends_at: time, known_at: time });
const READ = statement('withdrawals.read_restoration', `SELECT ${RESTORATION.names} FROM withdrawals.reconciliation`);
export const readRestoration = async (queries: Queries): Promise<Restoration | null> =>
  (await RESTORATION.query(queries, READ, []))[0] ?? null;

/** A transaction that nobody has explained, or that is explained but not booked. */
export interface UnexplainedTransaction {
  readonly chain: string;
  readonly hash: string;
  /** `transaction`: it moved none of our token out of the wallet. */
  readonly kind: 'out' | 'sweep' | 'transaction' | 'booking';
  readonly sender: string;
  readonly receiver: string | null;
  /** Units of USDT; for a `transaction`, the chain's own coin in its smallest units. */
  readonly amount: bigint;
  readonly block_height: bigint;
  readonly at: Date | null;
  /** Open withdrawals with exactly its receiver and amount. */
  readonly withdrawals: readonly string[];
}
const UNEXPLAINED = table<UnexplainedTransaction>({
  chain: text(),
  hash: text(),
  kind: text(),
  sender: text(),
  receiver: nullable(text()),
  amount: numeric,
  block_height: bigint,
  at: nullable(time),
  withdrawals: column.list('withdrawals'),
});
const SHOWN_MAX = 500;
const LIST = statement(
  'withdrawals.list_unexplained',
  `SELECT ${UNEXPLAINED.names} FROM withdrawals.explanation ORDER BY block_height, hash LIMIT ${SHOWN_MAX}`,
);
export const listUnexplainedTransactions = (queries: Queries): Promise<UnexplainedTransaction[]> =>
  UNEXPLAINED.query(queries, LIST, []);
const COUNT = statement(
  'withdrawals.count_unexplained',
  'SELECT count(*)::integer AS n, withdrawals.unread_chains() AS unread FROM withdrawals.unexplained',
);
export interface UnexplainedCount {
  readonly n: number;
  /** Chains that have not been read to their end since the restoration. */
  readonly unread: readonly string[];
}
export const countUnexplained = async (queries: Queries): Promise<UnexplainedCount> =>
  (await queries.query<UnexplainedCount>(COUNT))[0] ?? { n: 0, unread: [] };

const FORGOTTEN_COLUMNS = {
  hash: text<string>(),
  address: text<string>(),
  index: integer,
  sender: text<string>(),
  amount: column.money('USDT'),
  at: time,
};
type ForgottenRow = RowOf<typeof FORGOTTEN_COLUMNS>;
const FORGOTTEN = table<ForgottenRow>(FORGOTTEN_COLUMNS);
const LIST_FORGOTTEN = statement(
  'withdrawals.list_forgotten',
  `SELECT ${FORGOTTEN.names} FROM withdrawals.forgotten ORDER BY at DESC, hash LIMIT ${SHOWN_MAX}`,
);
/** Transfers to addresses of ours that no customer of this database owns. */
export const listForgottenTransfers = (queries: Queries): Promise<ForgottenRow[]> =>
  FORGOTTEN.query(queries, LIST_FORGOTTEN, []);

const LAST = statement('withdrawals.last_nonce', 'SELECT withdrawals.last_nonce($1, $2) AS nonce');
/** The next nonce of a wallet or a deposit address, as far as the database knows; 0 if it knows none. */
export async function readNextNonce(queries: Queries, chain: string, wallet: string): Promise<number> {
  const [row] = await queries.query<{ nonce: bigint }>(LAST, [chain, wallet]);
  return Number(row?.nonce ?? -1) + 1;
}

interface Own {
  readonly chain: string;
  readonly wallet: string;
  readonly nonce: number;
  readonly hash: string;
  readonly what: 'gas' | 'sweep';
}
const OWN = table<Own>({ chain: text(), wallet: text(), nonce: number, hash: text(), what: text() });
const LIST_OWN = statement(
  'withdrawals.list_adoptable',
  `SELECT ${OWN.names} FROM withdrawals.adoptable ORDER BY wallet, nonce LIMIT 100`,
);
export const listOwnTransactions = (queries: Queries): Promise<Own[]> => OWN.query(queries, LIST_OWN, []);
const KEEP_OWN = statement(
  'withdrawals.adopt_own',
  'INSERT INTO withdrawals.foreign_transaction (chain, wallet, nonce, hash, what) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
);
/** Explains a transaction without people. The database checks that nothing left the house's addresses. */
export async function adoptOwnTransaction(queries: Queries, { chain, wallet, nonce, hash, what }: Own): Promise<void> {
  await queries.query(KEEP_OWN, [chain, wallet, nonce, hash, what]);
}

const END = statement('withdrawals.end_restoration', 'SELECT withdrawals.end_restoration($1, $2)');
/** The database refuses without two people, and while something is unexplained or not booked. */
export async function endRestorationRow(queries: Queries, restoration: bigint, approval: string): Promise<void> {
  await queries.query(END, [restoration, approval]);
}
