import { hash } from 'node:crypto';
import { parseMoney, parseRate } from '@sathorn/money';
import { readOrdered, verifyOrdered } from '@sathorn/proof';
import { readSignedRequest, verifySignedRequest } from '@sathorn/proof/signed-request';
import { uuidOfName } from '../../platform/intent.ts';
import type { Scan } from './scan.ts';

/** Clocks of processes differ, and a key may be revoked while an order is on its way. */
const SLACK = `interval '10 seconds'`;

/** Also compares the id of the call, which anybody can compute from the signed text and its customer. */
async function isForged([body = '', signature = '', publicKey = '', customer = '', intent = '']: readonly string[]) {
  const ordered = readOrdered(body);
  if (ordered === undefined || uuidOfName(`${customer}\n${ordered.call}\n${ordered.intent}`) !== intent) return true;
  return (await verifyOrdered({ body, signature }, publicKey)) !== null;
}

/** The facts of USDT amounts are in its smallest unit, those of rates in parts of 10^-8. */
const AMOUNTS: ReadonlySet<string> = new Set(['amount', 'price', 'quantity', 'price_max', 'amount_min', 'amount_max']);
const RATES: ReadonlySet<string> = new Set(['rate_min']);

/** The form in which a fact is compared; null for a field that was left out. */
function factOf(name: string, field: string | undefined): string | null {
  if (field === undefined) return null;
  if (AMOUNTS.has(name)) return parseMoney('USDT', field)?.units.toString() ?? field;
  return RATES.has(name) ? (parseRate(field)?.toString() ?? field) : field;
}

/** Takes a signed text and the facts of what was done, by the names of the call’s fields. */
export function isOther([body = '', facts = '{}']: readonly string[]): boolean {
  const fields = readOrdered(body)?.fields;
  return fields === undefined || typeof fields === 'string' || isUnlike(fields, facts);
}

function isUnlike(fields: Readonly<Record<string, string>>, facts: string): boolean {
  return Object.entries(JSON.parse(facts) as Record<string, string | null>).some(
    ([name, fact]) => factOf(name, fields[name]) !== fact,
  );
}

/** Only the platform can verify the signature of a key that has no public half. */
async function isForgedRequest([
  request = '',
  form = '',
  signature = '',
  publicKey = '',
  customer = '',
  intent = '',
]: readonly string[]) {
  const read = readSignedRequest(request);
  const [path = ''] = read?.target.split('?') ?? [];
  if (read === undefined || !path.startsWith('/api/')) return true;
  const call = `${read.method} ${path.slice('/api'.length)}`;
  if (uuidOfName(`${customer}\n${call}\n${read.intent || read.nonce}`) !== intent) return true;
  if (publicKey === '') return hash('sha256', form, 'hex') !== read.bodyHash;
  return (await verifySignedRequest({ request, form, signature }, publicKey)) !== null;
}

const isOtherThanForm = ([form = '', facts = '{}']: readonly string[]): boolean =>
  isUnlike(Object.fromEntries(new URLSearchParams(form)), facts);

/** Reads what the intent `d` caused, with the names of the call's fields. */
const DONE = `CROSS JOIN LATERAL (
    SELECT jsonb_build_object('code', coin, 'direction', direction, 'duration', (duration_ms / 1000)::text, 'quantity', stake::text) AS facts
    FROM options.orders WHERE id = d.intent
    UNION ALL
    SELECT jsonb_build_object('id', id::text, 'price', credited::text, 'tick', end_sequence::text) FROM options.orders
    WHERE journal = d.intent AND status = 'sold' AND customer_id = d.customer
    UNION ALL
    SELECT CASE WHEN replaces IS NULL THEN jsonb_build_object('code', coin, 'side', side, 'type', type)
      ELSE jsonb_build_object('id', coin || '-' || replaces) END FROM contracts.orders
    WHERE customer_id = d.customer AND customer_id <> 0 AND journal = d.intent
      AND accepted_ms BETWEEN (extract(epoch FROM d.at) * 1000)::bigint - 60000 AND (extract(epoch FROM d.at) * 1000)::bigint + 60000
    UNION ALL
    SELECT CASE WHEN replaces IS NOT NULL THEN jsonb_build_object('id', coin || '-' || replaces)
      WHEN pair IS NOT NULL THEN jsonb_build_object('code', coin, 'side', side)
      ELSE jsonb_build_object('code', coin, 'side', side, 'type', type, 'trigger', trigger) END FROM contracts.waiting
    WHERE customer_id = d.customer AND journal = d.intent
      AND accepted_ms BETWEEN (extract(epoch FROM d.at) * 1000)::bigint - 60000 AND (extract(epoch FROM d.at) * 1000)::bigint + 60000
    UNION ALL
    SELECT jsonb_build_object('product', product::text, 'amount', principal::text) FROM earning.lockup WHERE id = d.intent
    UNION ALL
    SELECT jsonb_build_object('amount', units::text) FROM earning.movement WHERE id = d.intent
    UNION ALL
    SELECT jsonb_build_object('channel', channel, 'target', payee_id, 'amount', amount::text) FROM withdrawals.withdrawal WHERE id = d.intent
  ) done`;

/** Reads what customers' devices signed, with their keys. A breach here stops no payment. */
export const ORDERED_SCAN: Scan = {
  name: 'signed orders',
  tables: ['customers.ordered', 'customers.ordered', 'customers.device_key'],
  starts: `SELECT '{0}'::text[] AS cursor`,
  next: `SELECT ARRAY[max(arrival)::text] AS cursor, count(*) AS rows FROM (
           SELECT arrival FROM customers.ordered WHERE arrival > ($1::text[])[1]::bigint ORDER BY arrival LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    d: `SELECT * FROM customers.ordered WHERE arrival > ($1::text[])[1]::bigint AND arrival <= ($2::text[])[1]::bigint`,
  },
  invariants: [
    {
      id: 'DK1',
      says: 'every signed order is signed by the key that it names, for the call of its customer',
      text: `SELECT d.intent::text AS subject, ARRAY[d.body, encode(d.signature, 'hex'), encode(k.public_key, 'hex'), d.customer::text, d.intent::text] AS evidence
             FROM d LEFT JOIN LATERAL (SELECT public_key FROM customers.device_key WHERE id = d.key OFFSET 0) k ON true`,
      isBroken: isForged,
      isKeyless: true,
      isHalting: false,
    },
    {
      id: 'DK2',
      says: 'every key that signed an order was its customer’s and active then',
      text: `SELECT d.intent::text AS subject FROM d LEFT JOIN LATERAL (SELECT * FROM customers.device_key WHERE id = d.key OFFSET 0) k ON true
             WHERE (k.customer = d.customer AND d.at >= k.created_at - ${SLACK} AND d.at <= coalesce(k.revoked_at, d.at) + ${SLACK}) IS NOT TRUE`,
      isHalting: false,
    },
    {
      id: 'DK3',
      says: 'what was carried out is what the device signed',
      text: `SELECT d.intent::text AS subject, ARRAY[d.body, done.facts::text] AS evidence FROM d
             -- Otherwise the ledger carried out another request under the same intent, which is shown as unsigned.
             CROSS JOIN LATERAL (SELECT FROM ledger.journal WHERE id = d.intent AND digest = d.digest OFFSET 0) j
             ${DONE}`,
      isBroken: isOther,
      isKeyless: true,
      isHalting: false,
    },
  ],
  newest: {
    starts: 'SELECT ARRAY[greatest(coalesce(max(arrival), 0) - $1::bigint, 0)::text] AS cursor FROM customers.ordered',
    invariants: [],
  },
};

/** Reads the orders that API keys signed. */
export const API_ORDER_SCAN: Scan = {
  name: 'orders of API keys',
  tables: ['customers.api_order', 'customers.api_order', 'customers.api_key'],
  starts: `SELECT '{0}'::text[] AS cursor`,
  next: `SELECT ARRAY[max(arrival)::text] AS cursor, count(*) AS rows FROM (
           SELECT arrival FROM customers.api_order WHERE arrival > ($1::text[])[1]::bigint ORDER BY arrival LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    d: `SELECT * FROM customers.api_order WHERE arrival > ($1::text[])[1]::bigint AND arrival <= ($2::text[])[1]::bigint`,
  },
  invariants: [
    {
      id: 'AK1',
      says: 'every order of an API key is signed by the key that it names, for the call of its customer',
      text: `SELECT d.intent::text AS subject, ARRAY[d.request, d.form, encode(d.signature, 'hex'), coalesce(encode(k.public_key, 'hex'), ''), d.customer::text, d.intent::text] AS evidence
             FROM d LEFT JOIN LATERAL (SELECT public_key FROM customers.api_key WHERE id = d.key OFFSET 0) k ON true`,
      isBroken: isForgedRequest,
      isKeyless: true,
      isHalting: false,
    },
    {
      id: 'AK2',
      says: 'every API key that ordered was its customer’s, could trade and was active then',
      text: `SELECT d.intent::text AS subject FROM d LEFT JOIN LATERAL (SELECT * FROM customers.api_key WHERE id = d.key OFFSET 0) k ON true
             WHERE (k.customer = d.customer AND split_part(d.request, E'\\n', 2) = d.key AND 'trade' = ANY (k.scopes)
               AND d.at BETWEEN k.created_at - ${SLACK} AND least(k.revoked_at, k.ends_at) + ${SLACK}) IS NOT TRUE`,
      isHalting: false,
    },
    {
      id: 'AK3',
      says: 'what was carried out is what the API key ordered',
      text: `SELECT d.intent::text AS subject, ARRAY[d.form, done.facts::text] AS evidence FROM d
             CROSS JOIN LATERAL (SELECT FROM ledger.journal WHERE id = d.intent AND digest = d.digest OFFSET 0) j
             ${DONE}`,
      isBroken: isOtherThanForm,
      isKeyless: true,
      isHalting: false,
    },
  ],
  newest: {
    starts:
      'SELECT ARRAY[greatest(coalesce(max(arrival), 0) - $1::bigint, 0)::text] AS cursor FROM customers.api_order',
    invariants: [],
  },
};
