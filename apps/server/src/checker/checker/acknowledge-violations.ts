import pg from 'pg';
import type { Connection } from '../../platform/database/index.ts';

export interface AcknowledgementRequest {
  /** Numbers of violations, or all open ones. */
  readonly violations: readonly string[] | 'all';
  readonly by: string;
  readonly why: string;
}

interface Row {
  readonly id: string;
  readonly invariant: string;
  readonly subject: string;
  readonly says: string;
  readonly at: Date;
  readonly by_name: string | null;
  readonly why: string | null;
}

async function readViolations(client: pg.Client): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `SELECT v.id, invariant, subject, says, v.at, by_name, why FROM ledger.violation v LEFT JOIN ledger.acknowledgement a ON a.violation = v.id ORDER BY v.id`,
  );
  return rows;
}

const lineOf = ({ id, invariant, says, subject, at, by_name, why }: Row): string =>
  `${id.padStart(4)}  ${at.toISOString()}  ${invariant}: ${says}: ${subject}${by_name === null ? '' : `  [${by_name}: ${why}]`}`;

async function list(client: pg.Client, print: (line: string) => void): Promise<void> {
  const rows = await readViolations(client);
  const { rows: heads } = await client.query<{ halted: string | null }>('SELECT halted FROM ledger.head');
  const halted = heads[0]?.halted ?? null;
  print(halted === null ? 'Money moves.' : `MONEY IS HALTED: ${halted}`);
  for (const [title, some] of [
    ['Not acknowledged:', rows.filter((row) => row.by_name === null)],
    ['Acknowledged:', rows.filter((row) => row.by_name !== null)],
  ] as const) {
    if (some.length > 0) print(title);
    for (const row of some) print(lineOf(row));
  }
  if (rows.length === 0) print('The checker has found nothing so far.');
}

/**
 * Lists the violations that the checker found, or acknowledges some of them as the owner. Acknowledged violations no
 * longer halt money, and once all are acknowledged money moves again. Throws for an unknown number.
 */
export async function acknowledgeViolations(
  owner: Connection,
  answer: AcknowledgementRequest | null,
  print: (line: string) => void,
): Promise<void> {
  const client = new pg.Client({ ...owner, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (answer === null) return await list(client, print);
    const { by, why } = answer;
    await client.query('BEGIN');
    const open = (await readViolations(client)).filter((row) => row.by_name === null);
    const ids = answer.violations === 'all' ? open.map(({ id }) => id) : answer.violations;
    for (const id of ids) {
      const row = open.find((violation) => violation.id === id);
      if (row === undefined) throw new Error(`there is no violation ${id} that is not acknowledged`);
      await client.query('SELECT ledger.acknowledge($1, $2, $3)', [id, by, why]);
      print(`acknowledged: ${lineOf({ ...row, by_name: by, why })}`);
    }
    const left = open.length - ids.length;
    if (left > 0) print(`${left} more are not acknowledged: money stays as it is.`);
    else {
      const { rows } = await client.query<{ resumed: boolean }>('SELECT ledger.resume_money($1, $2) AS resumed', [
        by,
        why,
      ]);
      print(rows[0]?.resumed ? 'Money moves again.' : 'Money was not halted.');
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
