import { type Connection, openDatabase, statement } from '../../platform/database/index.ts';

const DECLARE = statement(
  'withdrawals.declare_time_zone',
  `INSERT INTO withdrawals.calendar (effective_from, time_zone) SELECT clock_timestamp(), $1
   WHERE $1 <> (SELECT time_zone FROM withdrawals.calendar ORDER BY effective_from DESC LIMIT 1)`,
);
/** Tells the database where a brand's day begins. Runs as the owner: the application can't move the day. */
export async function declareTimeZone(owner: Connection, timeZone: string): Promise<void> {
  const database = openDatabase(owner, { connections: 1 });
  await database.query(DECLARE, [timeZone]).finally(database.close);
}
