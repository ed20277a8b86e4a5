import type { Language } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import { type Queries, statement } from '../../../platform/database/index.ts';
import type { Sealer } from '../../../platform/sealing.ts';

interface Row {
  readonly sealed: Buffer;
  readonly changed_at: Date;
}
const READ = statement(
  'customers.read_anti_phishing',
  'SELECT sealed, changed_at FROM customers.anti_phishing WHERE customer = $1',
);
const WRITE = statement(
  'customers.write_anti_phishing',
  `INSERT INTO customers.anti_phishing (customer, sealed, changed_at) VALUES ($1, $2, $3)
   ON CONFLICT (customer) DO UPDATE SET sealed = EXCLUDED.sealed, changed_at = EXCLUDED.changed_at`,
);
const REMOVE = statement('customers.remove_anti_phishing', 'DELETE FROM customers.anti_phishing WHERE customer = $1');

export interface AntiPhishing {
  read(queries: Queries, customer: bigint): Promise<{ readonly word: string; readonly changedAt: Date } | null>;
  /** Null removes the word. */
  set(queries: Queries, customer: bigint, word: string | null, now: Date): Promise<void>;
}

const boundTo = (changedAt: Date): string[] => ['anti_phishing', changedAt.toISOString()];

export function openAntiPhishing(sealer: Sealer): AntiPhishing {
  return {
    async read(queries, customer) {
      const [row] = await queries.query<Row>(READ, [customer]);
      if (!row) return null;
      const word = sealer.open(customer, boundTo(row.changed_at), row.sealed).toString();
      return { word, changedAt: row.changed_at };
    },
    async set(queries, customer, word, now) {
      if (word === null) await queries.query(REMOVE, [customer]);
      else await queries.query(WRITE, [customer, sealer.seal(customer, boundTo(now), Buffer.from(word)), now]);
    },
  };
}

/** Appends the customer's anti-phishing word to a text. */
export function withAntiPhishingWord(text: string, word: string | null, language: Language): string {
  return word === null ? text : `${text} ${translate(language, 'codes.word', { word })}`;
}
