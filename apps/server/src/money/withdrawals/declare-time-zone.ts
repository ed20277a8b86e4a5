import { type Connection, openDatabase, statement } from '../../platform/database/index.ts';

const DECLARE = statement(
  'withdrawals.declare_time_zone',
  `INSERT INTO withdrawals.calendar (effective_from, time_zone) SELECT clock_timestamp(), $1
   WHERE $1 <> (SELECT time_zone FROM withdrawals.calendar ORDER BY effective_from DESC LIMIT 1)`,
);
/** Stores the brand's time zone. Runs as the owner, because the application must not move the start of a day. */
export async function declareTimeZone(owner: Connection, timeZone: string): Promise<void> {
  const database = openDatabase(owner, { connections: 1 });
  await database.query(DECLARE, [timeZone]).finally(database.close);
}
