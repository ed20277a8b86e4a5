/** A process that tests freeze and kill: waits to lead a role and prints when it leads and when it no longer does. */
import { openDatabase } from './open-database.ts';
import { connectionOf } from './postgres-connection.ts';

const [url = '', role = ''] = process.argv.slice(2);
const database = openDatabase(connectionOf(url));
await database.runAsLeader(role, new AbortController().signal, async (held) => {
  console.log('held');
  await new Promise((resolve) => held.addEventListener('abort', resolve));
  console.log('lost');
});
