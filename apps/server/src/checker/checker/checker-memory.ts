import { createHash } from 'node:crypto';
import type pg from 'pg';
import { INDEX_ONLY_SETTINGS } from './inspect-history.ts';
import type { KeptMemory, KeptTable } from './memory-file.ts';
import { REMEMBERED_TABLES, type RememberedTable } from './remembered-tables.ts';
import { type Findings, withSnapshot } from './run-invariants.ts';

/** How many rows per partition one statement reads of all tables: the open rows, and the new ones of most rounds. */
const TOGETHER_ROWS = 2_000;
/** Rows per query. Small, because a long snapshot would keep the database from removing old row versions. */
const PAGE_ROWS = 10_000;
/** In a table that `isLate`: how long a row may still appear among earlier ones, and how many rows stay open anyway. */
const LATE_MS = 600_000;
const LATE_ROWS = 1_000;
/** How long a round may compare old rows. Rounds of this length compare about a million small rows within a minute. */
const BUDGET_MS = 3_000;

/** Fixes the settings, so that rows have the same text whatever the database's settings are. */
const AS_EVER = `${INDEX_ONLY_SETTINGS}; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO, MDY'; SET LOCAL bytea_output = 'hex'`;

const INVARIANT = 'M1';
const SAYS = 'every row that was once read is still there, unchanged, and none was put among them';

interface Block {
  /** The key of its last row. */
  readonly upto: bigint;
  rows: number;
  digest: string;
}
interface Row {
  digest: string;
  /** When the checker first read the row. */
  readonly since: number;
}
interface Partition {
  readonly blocks: Block[];
  /** The rows after the last block, by key. */
  readonly open: Map<bigint, Row>;
}
type Partitions = Map<string, Partition>;
/** A row of the database. */
interface RememberedRow {
  readonly key: string;
  readonly digest: string;
}

const closedIn = ({ blocks }: Partition): bigint => blocks.at(-1)?.upto ?? -1n;

const shapeOf = (of: RememberedTable): string =>
  createHash('sha256')
    .update(JSON.stringify([of.key, of.partition, of.columns, of.blockRows, of.version ?? 1]))
    .digest('hex')
    .slice(0, 16);

const digestOf = (columns: readonly string[]): string =>
  `sha256(convert_to(ROW(${columns.map((column) => `t.${column}`).join(', ')})::text, 'UTF8'))`;
const ofPartition = ({ partition }: RememberedTable, value: string): string =>
  partition ? `AND t.${partition} = ${value}` : '';

const rowsText = (of: RememberedTable): string =>
  `SELECT t.${of.key}::text AS key, encode(${digestOf(of.columns)}, 'hex') AS digest FROM ${of.table} t
   WHERE t.${of.key} > $2::bigint AND $1::text IS NOT NULL ${ofPartition(of, '$1')} ORDER BY t.${of.key} LIMIT $3`;

/** The query for many partitions of several tables at once. $1 to $3: table, partition and key of each. */
const togetherText = (tables: readonly RememberedTable[]): string => {
  const each = tables.map(
    (of) => `SELECT a.nth, r.key, r.digest FROM asked a CROSS JOIN LATERAL (
      SELECT t.${of.key}::bigint AS key, encode(${digestOf(of.columns)}, 'hex') AS digest FROM ${of.table} t
      WHERE t.${of.key} > a.after ${ofPartition(of, 'a.partition')} ORDER BY t.${of.key} LIMIT ${TOGETHER_ROWS}) r WHERE a.name = '${of.table}'`,
  );
  return `WITH asked AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY AS a(name, partition, after, nth))
    SELECT nth::integer, key::text, digest FROM (${each.join(' UNION ALL ')}) AS read ORDER BY read.nth, read.key`;
};

const blocksText = (of: RememberedTable): string =>
  `SELECT r.rows::text AS rows, encode(sha256(coalesce(r.digests, '')), 'hex') AS digest
   FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS b(partition, after, upto, nth)
   CROSS JOIN LATERAL (SELECT count(*) AS rows, string_agg(p.digest, ''::bytea ORDER BY p.key) AS digests
     FROM (SELECT t.${of.key} AS key, ${digestOf(of.columns)} AS digest FROM ${of.table} t
       WHERE t.${of.key} > b.after AND t.${of.key} <= b.upto ${ofPartition(of, 'b.partition')} OFFSET 0) p) r
   ORDER BY b.nth`;

const short = (digest: string): string => digest.slice(0, 16);
const nameOf = (of: RememberedTable, partition: string): string =>
  partition === '' ? of.table : `${of.table} ${partition}`;

interface Asked {
  readonly of: RememberedTable;
  readonly partition: string;
  readonly block: Block;
  readonly after: bigint;
}

/** Remembers rows that the checker has read: the newest one by one, older ones as a digest per block. */
export class CheckerMemory {
  readonly #tables = new Map<string, Partitions>();
  readonly #broken = new Set<Block>();
  #ahead: Asked[] = [];
  #passBegan = 0;
  #cutting = false;
  /** How long the last comparison of all blocks took; null before the first. */
  passMs: number | null = null;
  hasChanged = false;

  /** Tables that are read from the start, because nothing is remembered of them in this form. */
  readonly begun: string[] = [];

  constructor(kept: KeptMemory | null) {
    for (const of of REMEMBERED_TABLES) {
      const known = kept?.tables[of.table];
      const partitions: Partitions = new Map();
      if (known?.shape === shapeOf(of))
        for (const [partition, { blocks, open }] of Object.entries(known.ways))
          partitions.set(partition, {
            blocks: blocks.map(([upto, rows, digest]) => ({ upto: BigInt(upto), rows, digest })),
            open: new Map(open.map(([key, digest, since]) => [BigInt(key), { digest, since }])),
          });
      else this.begun.push(of.table);
      this.#tables.set(of.table, partitions);
    }
  }

  /** The state to store in the file. */
  tables(): Record<string, KeptTable> {
    return Object.fromEntries(
      REMEMBERED_TABLES.map((of) => [
        of.table,
        {
          shape: shapeOf(of),
          ways: Object.fromEntries(
            [...this.#partitionsOf(of)].map(([partition, { blocks, open }]) => [
              partition,
              {
                blocks: blocks.map(({ upto, rows, digest }) => [String(upto), rows, digest] as const),
                open: [...open].map(([key, { digest, since }]) => [String(key), digest, since] as const),
              },
            ]),
          ),
        },
      ]),
    );
  }

  get rows(): number {
    let rows = 0;
    for (const partitions of this.#tables.values())
      for (const { blocks, open } of partitions.values())
        rows += open.size + blocks.reduce((sum, block) => sum + block.rows, 0);
    return rows;
  }

  /** Reads new rows, and compares the newest rows and a part of the older ones with what was read before. */
  async look(
    client: pg.ClientBase,
    findings: Findings,
    { now = Date.now(), budgetMs = BUDGET_MS }: { readonly now?: number; readonly budgetMs?: number } = {},
  ): Promise<void> {
    await withSnapshot(
      client,
      async (renew) => {
        await this.#lookAtNewest(client, renew, REMEMBERED_TABLES, findings, now);
      },
      AS_EVER,
    );
    this.begun.length = 0;
    this.#cutting = false;
    await this.#compare(
      client,
      this.#all().filter(({ block }) => this.#broken.has(block)),
      findings,
    );
    const until = performance.now() + budgetMs;
    if (this.#ahead.length === 0) this.#beginPass();
    do {
      const [first] = this.#ahead;
      if (first === undefined) break;
      const most = Math.ceil(PAGE_ROWS / first.of.blockRows);
      const others = this.#ahead.findIndex(({ of }, nth) => of !== first.of || nth >= most);
      const asked = this.#ahead.splice(0, others === -1 ? this.#ahead.length : others);
      await this.#compare(client, asked, findings);
      if (this.#ahead.length === 0) this.passMs = performance.now() - this.#passBegan;
    } while (performance.now() < until);
  }

  /** Reads the newest rows of one table, such as a halt that was made just now. */
  async lookAt(client: pg.ClientBase, table: string, findings: Findings, now = Date.now()): Promise<void> {
    const of = REMEMBERED_TABLES.find((one) => one.table === table);
    if (of) await withSnapshot(client, (renew) => this.#lookAtNewest(client, renew, [of], findings, now), AS_EVER);
  }

  /** After a restore: forgets the rows beyond the end of each restored table. The others are compared as before. */
  cutAtNextLook(): void {
    this.#cutting = true;
  }

  #partitionsOf({ table }: RememberedTable): Partitions {
    return this.#tables.get(table) ?? new Map();
  }

  #all(): Asked[] {
    return REMEMBERED_TABLES.flatMap((of) =>
      [...this.#partitionsOf(of)].flatMap(([partition, { blocks }]) =>
        blocks.map((block, nth) => ({ of, partition, block, after: blocks[nth - 1]?.upto ?? -1n })),
      ),
    );
  }

  #beginPass(): void {
    this.#passBegan = performance.now();
    this.#ahead = this.#all();
    if (this.#ahead.length === 0) this.passMs = 0;
  }

  async #lookAtNewest(
    client: pg.ClientBase,
    renew: () => Promise<void>,
    tables: readonly RememberedTable[],
    findings: Findings,
    now: number,
  ): Promise<void> {
    const asked: { of: RememberedTable; partition: string; known: Partition }[] = [];
    for (const of of tables) {
      const partitions = this.#partitionsOf(of);
      if (of.partitions === undefined) partitions.set('', partitions.get('') ?? { blocks: [], open: new Map() });
      else
        for (const { partition } of (await client.query<{ partition: string }>(of.partitions)).rows)
          if (!partitions.has(partition)) partitions.set(partition, { blocks: [], open: new Map() });
      for (const [partition, known] of partitions) {
        if (this.#cutting) await this.#cut(client, of, partition, known);
        asked.push({ of, partition, known });
      }
    }
    const { rows } = await client.query<RememberedRow & { nth: number }>(togetherText(tables), [
      asked.map(({ of }) => of.table),
      asked.map(({ partition }) => partition),
      asked.map(({ known }) => closedIn(known)),
    ]);
    const first = Map.groupBy(rows, ({ nth }) => nth);
    for (const [nth, { of, partition, known }] of asked.entries()) {
      const since = this.begun.includes(of.table) ? Number.NEGATIVE_INFINITY : now;
      await this.#read(client, renew, of, partition, known, first.get(nth + 1) ?? [], findings, since, now);
    }
  }

  async #cut(client: pg.ClientBase, of: RememberedTable, partition: string, known: Partition): Promise<void> {
    const { rows } = await client.query<{ end: string | null }>(
      `SELECT max(t.${of.key})::text AS end FROM ${of.table} t WHERE $1::text IS NOT NULL ${ofPartition(of, '$1')}`,
      [partition],
    );
    const end = BigInt(rows[0]?.end ?? -1);
    while ((known.blocks.at(-1)?.upto ?? -1n) > end) known.blocks.pop();
    for (const key of known.open.keys()) if (key > end) known.open.delete(key);
    this.#ahead = [];
    this.hasChanged = true;
  }

  async #read(
    client: pg.ClientBase,
    renew: () => Promise<void>,
    of: RememberedTable,
    partition: string,
    known: Partition,
    first: readonly RememberedRow[],
    findings: Findings,
    since: number,
    now: number,
  ): Promise<void> {
    let last = -1n;
    for (const key of known.open.keys()) if (key > last) last = key;
    const missing = new Set(known.open.keys());
    let after = closedIn(known);
    let [rows, isMore] = [first, true];
    for (let most = TOGETHER_ROWS; isMore; most = PAGE_ROWS) {
      if (most === PAGE_ROWS)
        ({ rows } = await client.query<RememberedRow>(rowsText(of), [partition, after, PAGE_ROWS]));
      for (const { key: text, digest } of rows) {
        const key = BigInt(text);
        const row = known.open.get(key);
        missing.delete(key);
        after = key;
        if (row?.digest === digest) continue;
        const isNew = row === undefined && (of.isLate === true || key > last);
        const subject = `${nameOf(of, partition)} ${key}, now ${short(digest)}`;
        if (!isNew && !this.#isAcknowledged(findings, subject)) continue;
        known.open.set(key, { digest, since: row?.since ?? since });
        this.hasChanged = true;
      }
      isMore = rows.length === most;
      if (isMore) await renew();
      this.#close(of, known, now);
    }
    for (const key of missing) {
      if (!known.open.has(key)) continue;
      if (!this.#isAcknowledged(findings, `${nameOf(of, partition)} ${key}, gone`)) continue;
      known.open.delete(key);
      this.hasChanged = true;
    }
  }

  /** Reports a difference. Returns true if the owner has acknowledged it; the new value is then remembered. */
  #isAcknowledged(findings: Findings, subject: string): boolean {
    if (findings.acknowledgedOf(INVARIANT).has(subject)) return true;
    findings.add({ invariant: INVARIANT, says: SAYS, subjects: [subject] });
    return false;
  }

  /** Turns the oldest open rows into blocks. */
  #close({ blockRows, isLate }: RememberedTable, known: Partition, now: number): void {
    const kept = isLate ? LATE_ROWS : 0;
    while (known.open.size >= blockRows + kept) {
      // Late rows were appended behind the others, so the keys must be sorted.
      const keys = [...known.open.keys()];
      if (isLate) keys.sort((a, b) => (a < b ? -1 : 1));
      for (let from = 0; keys.length - from >= blockRows + kept; from += blockRows) {
        const digests = createHash('sha256');
        const block = keys.slice(from, from + blockRows);
        if (isLate && block.some((key) => (known.open.get(key)?.since ?? 0) > now - LATE_MS)) return;
        for (const key of block) digests.update(Buffer.from(known.open.get(key)?.digest ?? '', 'hex'));
        known.blocks.push({ upto: block.at(-1) ?? 0n, rows: blockRows, digest: digests.digest('hex') });
        for (const key of block) known.open.delete(key);
        this.hasChanged = true;
      }
    }
  }

  async #compare(client: pg.ClientBase, asked: readonly Asked[], findings: Findings): Promise<void> {
    for (const [of, blocks] of Map.groupBy(asked, (one) => one.of)) {
      const read = (): Promise<pg.QueryResult<{ rows: string; digest: string }>> =>
        client.query(blocksText(of), [
          blocks.map(({ partition }) => partition),
          blocks.map(({ after }) => after),
          blocks.map(({ block }) => block.upto),
        ]);
      const { rows } = await withSnapshot(client, read, AS_EVER);
      for (const [nth, { partition, block, after }] of blocks.entries()) {
        const { rows: count = '0', digest = '' } = rows[nth] ?? {};
        this.#broken.delete(block);
        if (digest === block.digest) continue;
        const keys = `${after < 0n ? 1n : after + 1n} to ${block.upto}`;
        const subject = `${nameOf(of, partition)} ${keys}, now ${count} of ${block.rows} rows, ${short(digest)}`;
        if (this.#isAcknowledged(findings, subject)) {
          block.rows = Number(count);
          block.digest = digest;
          this.hasChanged = true;
        } else this.#broken.add(block);
      }
    }
  }
}
