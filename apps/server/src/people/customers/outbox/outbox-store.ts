import { type Queries, statement } from '../../../platform/database/index.ts';

export interface OutboxRow {
  contact: string;
  kind: 'sms' | 'email';
  text: string;
  code: string | null;
  at: Date;
}

// Runs the same statement whether or not the code will be sent, so that its duration reveals nothing.
const insert = statement(
  'customers.insert_outbox',
  'INSERT INTO customers.outbox (contact, kind, text, code, at) SELECT $1, $2, $3, $4, $5 WHERE $6::boolean',
);
const list = statement(
  'customers.list_outbox',
  'SELECT contact, kind, text, code, at FROM customers.outbox ORDER BY id DESC LIMIT $1',
);
const listTo = statement(
  'customers.list_outbox_to',
  'SELECT contact, kind, text, code, at FROM customers.outbox WHERE contact = $1 ORDER BY id DESC LIMIT $2',
);

export async function insertOutbox(queries: Queries, row: OutboxRow, isForSomebody: boolean): Promise<void> {
  await queries.query(insert, [row.contact, row.kind, row.text, row.code, row.at, isForSomebody]);
}

/** Newest first. */
export function listOutbox(queries: Queries, contact: string | null, limit: number): Promise<OutboxRow[]> {
  return contact === null
    ? queries.query<OutboxRow>(list, [limit])
    : queries.query<OutboxRow>(listTo, [contact, limit]);
}
