/** Wants a role: prints when it has it and when it has lost it. What is frozen and killed in a test. */
import { openDatabase } from './open-database.ts';
import { connectionOf } from './postgres-connection.ts';

const [url = '', role = ''] = process.argv.slice(2);
const database = openDatabase(connectionOf(url));
await database.runAsLeader(role, new AbortController().signal, async (held) => {
  console.log('held');
  await new Promise((resolve) => held.addEventListener('abort', resolve));
  console.log('lost');
});
