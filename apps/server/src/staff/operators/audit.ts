import { type Canonical, canonicalText } from '@sathorn/proof';
import { type Queries, statement } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';

export interface NewAuditEntry {
  /** Null if the platform acted without an operator. */
  readonly operator: Pick<OperatorSession, 'id' | 'sessionId'> | null;
  /** Subject and participle from the log's vocabulary, such as `withdrawal.approved`. */
  readonly what: string;
  readonly on: { readonly kind: string; readonly id: string };
  /** The customer concerned, who can read this entry. */
  readonly customer?: bigint;
  /** These must not contain names, document numbers or free text, because entries of the chain are never deleted. */
  readonly before?: Canonical;
  readonly after?: Canonical;
  /** A code from the catalogue of reasons. */
  readonly reason?: string;
  /** The operator's note. It is stored outside the chain, which holds only its hash. */
  readonly note?: string;
}

export interface AuditLog {
  /**
   * Appends an entry. It must be the last statement of the transaction, because it holds the log's lock until the
   * commit. Returns the entry's number.
   */
  append(transaction: Queries, entry: NewAuditEntry): Promise<bigint>;
}

const append = statement(
  'operators.append_entry',
  'SELECT operators.append_entry($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS n',
);

const textOf = (value: Canonical | undefined): string | null => (value === undefined ? null : canonicalText(value));

export function openAuditLog(): AuditLog {
  return {
    async append(transaction, { operator, what, on, customer, before, after, reason, note }) {
      const [row] = await transaction.query<{ n: bigint }>(append, [
        operator?.id ?? null,
        operator?.sessionId ?? null,
        what,
        on.kind,
        on.id,
        customer ?? null,
        textOf(before),
        textOf(after),
        reason ?? null,
        note ?? null,
      ]);
      if (!row) throw new Error('the log gave no number');
      return row.n;
    },
  };
}
