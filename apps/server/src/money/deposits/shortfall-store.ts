import type { Money } from '@sathorn/money';
import { column, type Queries, statement, table } from '../../platform/database/index.ts';

/** The customer's debt to the house, which paid the missing part of their reversed deposits. */
interface Shortfall {
  readonly customer_id: bigint;
  readonly owed: Money<'USDT'>;
  /** The number of repayments. */
  readonly paid: number;
}
const SHORTFALLS = table<Shortfall>({
  customer_id: column.bigint,
  owed: column.named('units', column.money('USDT')),
  paid: column.computed(
    '(SELECT count(*) FROM deposits.repayment p WHERE p.customer_id = s.customer_id)',
    column.number,
  ),
});
const READ = statement(
  'deposits.read_shortfalls',
  `SELECT ${SHORTFALLS.names} FROM deposits.shortfall s WHERE units > 0 ORDER BY customer_id LIMIT 500`,
);
export const readShortfalls = (queries: Queries): Promise<Shortfall[]> => SHORTFALLS.query(queries, READ);

const KEEP = statement(
  'deposits.keep_repayment',
  'INSERT INTO deposits.repayment (id, customer_id, units, at) VALUES ($1, $2, $3, $4)',
);
/** The database refuses to repay more than the debt. */
export async function storeRepayment(
  queries: Queries,
  { id, customer, units, at }: { id: string; customer: bigint; units: bigint; at: Date },
): Promise<void> {
  await queries.query(KEEP, [id, customer, units, at]);
}
