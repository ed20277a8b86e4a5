import pg from 'pg';
import type { Connection } from './postgres-connection.ts';

/**
 * Stores, once and for ever, whether this database has test money. In a live deployment the ledger then rejects test
 * money, whatever the application posts. Throws if the other mode was declared before.
 */
export async function declareMode(owner: Connection, mode: 'demo' | 'live'): Promise<void> {
  const client = new pg.Client(owner);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ mode: string }>('SELECT ledger.declare_mode($1) AS mode', [mode]);
    const [declared] = rows;
    if (declared?.mode === mode) return;
    throw new Error(
      mode === 'live'
        ? 'this database belongs to a demonstration and has test money in it: give the live deployment its own'
        : 'this database belongs to a live deployment: set SATHORN_MODE=live, or give the demonstration its own',
    );
  } finally {
    await client.end();
  }
}
