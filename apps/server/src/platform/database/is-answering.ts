import { setTimeout as pause } from 'node:timers/promises';
import { type Queries, statement } from './sql.ts';

const PROBE = statement('database.probe', 'SELECT 1 AS answer');
const PATIENCE_MS = 2_000;

/** True when the server answers a query within two seconds. */
export function isAnswering(queries: Queries): Promise<boolean> {
  const late = new AbortController();
  return Promise.race([
    queries.query(PROBE).then(
      () => true,
      () => false,
    ),
    pause(PATIENCE_MS, false, { signal: late.signal, ref: false }).catch(() => false),
  ]).finally(() => late.abort());
}
