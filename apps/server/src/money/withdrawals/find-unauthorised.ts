import { authorisationText, parseCanonical, type StoredAuthorisation } from '@sathorn/proof';
import { arrayLiteral, type Queries, statement } from '../../platform/database/index.ts';
import type { WithdrawalRow } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

const READ = statement(
  'withdrawals.read_authorisations',
  `SELECT w.id, a.body, encode(a.signature, 'hex') AS signature, a.key, w.created_at < (SELECT min(declared_at) FROM withdrawals.calendar) AS is_old
   FROM withdrawals.withdrawal w LEFT JOIN withdrawals.authorisation a ON a.withdrawal_id = w.id WHERE w.id = ANY ($1::uuid[])`,
);
interface Stored {
  readonly id: string;
  readonly body: string | null;
  readonly signature: string | null;
  readonly key: string | null;
  /** True if the request is older than authorisations. */
  readonly is_old: boolean;
}

/** True if this server signed it for exactly this row: the same text always gets the same signature. */
function isOurs(
  { authorise }: WithdrawalsModule,
  row: WithdrawalRow,
  { body, signature }: StoredAuthorisation,
): boolean {
  const said = parseCanonical(body) as { readonly address?: unknown } | undefined;
  const expected = authorisationText({
    withdrawal: row.id,
    customer: String(row.customer_id),
    channel: row.channel,
    chain: row.chain,
    // The digest of a bank account is not stored, so the address comes from the sealed copy of the card.
    address: row.address ?? String(said?.address),
    payee: row.payee_id,
    amount: row.amount,
    fee: row.fee,
    quote: row.quote,
    atMs: row.created_at.getTime(),
  });
  return body === expected && authorise(body).signature === signature;
}

/** Returns those of these withdrawals that have no valid authorisation by the edge's key. */
export async function findUnauthorised(
  module: WithdrawalsModule,
  queries: Queries,
  rows: readonly WithdrawalRow[],
): Promise<readonly string[]> {
  if (rows.length === 0) return [];
  const stored = await queries.query<Stored>(READ, [arrayLiteral(rows.map(({ id }) => id))]);
  return rows.flatMap((row) => {
    const { body, signature, key, is_old: isOld } = stored.find(({ id }) => id === row.id) ?? {};
    if (body == null || signature == null || key == null) return isOld === true ? [] : [row.id];
    return isOurs(module, row, { body, signature, key }) ? [] : [row.id];
  });
}
