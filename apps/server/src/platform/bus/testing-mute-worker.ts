/**
 * A worker that tests kill: serves a subject, answers only `ping`, and reports when it holds the requested number of
 * other commands.
 */
import { openNatsCommands } from './nats-commands.ts';

const [url = '', subject = '', count = ''] = process.argv.slice(2);
const commands = await openNatsCommands({ url, onFault: (error) => console.error(error) });
let begun = 0;
await commands.serve(subject, new AbortController().signal, (command) => {
  if (command === 'ping') return Promise.resolve('pong');
  if (++begun === Number(count)) console.log('full');
  return new Promise(() => undefined);
});
