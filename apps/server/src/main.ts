import { pino } from 'pino';
import { systemElapsed } from './clock.ts';
import { readConfig } from './config.ts';
import { DEMO_CUSTOMER } from './demo/index.ts';
import { openFaultLog } from './fault-log.ts';
import { openLog } from './log.ts';
import { startPlatform } from './start-platform.ts';

const log = openLog('sathorn', process.env.LOG_LEVEL || 'warn', pino.destination(2));
const faults = openFaultLog({ log, elapsedMs: systemElapsed });
setInterval(faults.flush, 60_000).unref();
const voice = {
  say: (line: string) => console.error(line),
  ...faults,
};

function giveUp(error: unknown): never {
  const causes = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
  voice.say(`Sathorn could not start: ${causes.join(': ') || String(error)}`);
  if (log.isLevelEnabled('debug')) log.debug({ err: error }, 'start');
  process.exit(1);
}

// Heard from the beginning: whoever ends us while the database is being made would leave it running otherwise.
const stopping = new AbortController();
let stop: (() => Promise<void>) | null = null;
function end(): void {
  stop?.().then(
    () => process.exit(0),
    (error: unknown) => {
      voice.report(error, 'stop');
      process.exit(1);
    },
  );
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stopping.signal.aborted) return;
    console.error('Stopping …');
    stopping.abort();
    end();
  });
}

const { config, platform } = await (async () => {
  const config = readConfig(process.env);
  return { config, platform: await startPlatform(config, voice, stopping.signal) };
})().catch((error: unknown) => (stopping.signal.aborted ? process.exit(0) : giveUp(error)));
stop = platform.stop;
if (stopping.signal.aborted) end();

await platform.ready;
if (config.mode === 'demo')
  console.log(
    `Sathorn, demo mode: ${config.baseUrl}   customer ${DEMO_CUSTOMER.username}   password ${DEMO_CUSTOMER.password}`,
  );
else console.log(`Sathorn: ${config.baseUrl}`);
