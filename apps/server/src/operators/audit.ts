import { type Canonical, canonical } from '@sathorn/proof';
import { type Queries, statement } from '../database/index.ts';
import type { OperatorSession } from '../edge/index.ts';

export interface Entry {
  /** Null: the platform did it by itself. */
  readonly operator: Pick<OperatorSession, 'id' | 'sessionId'> | null;
  /** `withdrawal.approved`: subject and participle, from the log's own list of words. */
  readonly what: string;
  readonly on: { readonly kind: string; readonly id: string };
  /** Whom it concerns: this customer reads it. */
  readonly customer?: bigint;
  /** No names, numbers of documents or free texts: the chain is for ever. */
  readonly before?: Canonical;
  readonly after?: Canonical;
  /** A code of the catalogue of reasons. */
  readonly reason?: string;
  /** What the operator wrote; kept beside the chain, which has its digest only. */
  readonly note?: string;
}

export interface Audit {
  /**
   * Appends in the transaction of the act, as its last statement: the log's lock is held from here to the commit.
   * Answers the entry's number.
   */
  append(transaction: Queries, entry: Entry): Promise<bigint>;
}

const append = statement(
  'operators.append_entry',
  'SELECT operators.append_entry($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS n',
);

const textOf = (value: Canonical | undefined): string | null => (value === undefined ? null : canonical(value));

export function openAudit(): Audit {
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
