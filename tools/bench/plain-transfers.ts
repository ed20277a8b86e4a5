/** The baseline of the ledger's benchmark: equally durable transfers without a ledger. */
import { arrayLiteral } from '@sathorn/server/database';
import pg from 'pg';

/** One transaction per transfer: locks, updates and entries. */
export async function runPlainTransfers(
  owner: pg.ClientConfig,
  accounts: number,
  connections: number,
  seconds: number,
): Promise<number> {
  const pool = new pg.Pool({ ...owner, max: connections });
  await pool.query(`
    DROP TABLE IF EXISTS public.plain, public.plain_entry;
    CREATE TABLE public.plain (id int PRIMARY KEY, balance bigint);
    CREATE TABLE public.plain_entry (id bigint GENERATED ALWAYS AS IDENTITY, account int, amount bigint);
    INSERT INTO public.plain SELECT n, 1000000 FROM generate_series(1, ${accounts}) n`);
  let done = 0;
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const client = await pool.connect();
        const [from, to] = twoOf(accounts);
        await client.query('BEGIN');
        await client.query({
          name: 'lock',
          text: 'SELECT balance FROM public.plain WHERE id IN ($1, $2) ORDER BY id FOR UPDATE',
          values: [from, to],
        });
        await client.query({
          name: 'move',
          text: 'UPDATE public.plain SET balance = balance + CASE id WHEN $1 THEN -1 ELSE 1 END WHERE id IN ($1, $2)',
          values: [from, to],
        });
        await client.query({
          name: 'entry',
          text: 'INSERT INTO public.plain_entry (account, amount) VALUES ($1, -1), ($2, 1)',
          values: [from, to],
        });
        await client.query('COMMIT');
        done += 1;
        client.release();
      }
    }),
  );
  await pool.end();
  return done / seconds;
}

/**
 * Posts many transfers in one transaction, one after the other on one connection: locks and reads the balances and
 * writes the new ones, with two entries per transfer. Nothing recomputes the values, repeated requests are not
 * recognised, and there are no holds.
 */
export async function runGroupedTransfers(
  owner: pg.ClientConfig,
  accounts: number,
  size: number,
  seconds: number,
): Promise<number> {
  const client = new pg.Client(owner);
  await client.connect();
  await client.query(`
    CREATE TABLE public.grouped (id bigint PRIMARY KEY, balance numeric(39, 0) NOT NULL CHECK (balance >= 0), version bigint NOT NULL DEFAULT 0) WITH (fillfactor = 70);
    CREATE TABLE public.grouped_transfer (id bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE public.grouped_entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, transfer bigint NOT NULL, account bigint NOT NULL,
      amount numeric(39, 0) NOT NULL CHECK (amount <> 0), balance numeric(39, 0) NOT NULL);
    CREATE INDEX ON public.grouped_entry (account, id);
    INSERT INTO public.grouped SELECT n, 1000000 FROM generate_series(1, ${accounts}) n`);
  let last = 0;
  const post = async (): Promise<void> => {
    const wanted = Array.from({ length: size }, () => twoOf(accounts));
    const ids = [...new Set(wanted.flat())].sort((a, b) => a - b);
    await client.query('BEGIN');
    const { rows } = await client.query<{ id: string; balance: string }>({
      name: 'grouped.lock',
      text: 'SELECT id, balance FROM public.grouped WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE',
      values: [arrayLiteral(ids)],
    });
    const balances = new Map(rows.map(({ id, balance }) => [Number(id), BigInt(balance)]));
    const entries: { transfer: number; account: number; amount: bigint; balance: bigint }[] = [];
    const enter = (account: number, amount: bigint): void => {
      const balance = (balances.get(account) ?? 0n) + amount;
      balances.set(account, balance);
      entries.push({ transfer: last, account, amount, balance });
    };
    for (const [from, to] of wanted) {
      last += 1;
      enter(from, -1n);
      enter(to, 1n);
    }
    await client.query({
      name: 'grouped.transfer',
      text: 'INSERT INTO public.grouped_transfer (id) SELECT unnest($1::bigint[])',
      values: [arrayLiteral(wanted.map((_, n) => last - n))],
    });
    await client.query({
      name: 'grouped.entry',
      text: 'INSERT INTO public.grouped_entry (transfer, account, amount, balance) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::numeric[], $4::numeric[])',
      values: [
        arrayLiteral(entries.map(({ transfer }) => transfer)),
        arrayLiteral(entries.map(({ account }) => account)),
        arrayLiteral(entries.map(({ amount }) => amount)),
        arrayLiteral(entries.map(({ balance }) => balance)),
      ],
    });
    await client.query({
      name: 'grouped.balance',
      text: 'UPDATE public.grouped a SET balance = u.balance, version = version + 1 FROM unnest($1::bigint[], $2::numeric[]) AS u(id, balance) WHERE a.id = u.id',
      values: [arrayLiteral(ids), arrayLiteral(ids.map((id) => balances.get(id) ?? null))],
    });
    await client.query('COMMIT');
  };
  await post();
  const before = last;
  const begin = performance.now();
  while (performance.now() < begin + seconds * 1000) await post();
  const rate = (last - before) / ((performance.now() - begin) / 1000);
  await client.end();
  return rate;
}

/** Two different accounts, the lower number first. */
function twoOf(accounts: number): [number, number] {
  const one = 1 + Math.floor(Math.random() * accounts);
  const other = 1 + ((one + Math.floor(Math.random() * (accounts - 1))) % accounts);
  return one < other ? [one, other] : [other, one];
}
