import { releaseMemory } from './platform/release-memory.ts';
import { readConfig } from './process/config.ts';
import { openProcessLog } from './process/operator-log.ts';
import { startPlatform } from './process/start-platform.ts';

if (process.env.BRANDS) {
  // Each brand's server is a process of its own, which runs this file again.
  await (await import('./process/brands-main.ts')).startBrands();
  await new Promise<never>(() => undefined);
}

const operatorLog = openProcessLog();

// Signals are handled from the start: otherwise one during the database's creation would leave the database running.
const stopping = new AbortController();
const atOnce = new AbortController();
const TWICE_MS = 300;
let stoppingSince = 0;
let stop: ((atOnce: AbortSignal) => Promise<void>) | null = null;
function end(): void {
  stop?.(atOnce.signal).then(
    () => process.exit(0),
    (error: unknown) => {
      operatorLog.report(error, 'stop');
      process.exit(1);
    },
  );
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stopping.signal.aborted) {
      // The terminal and npm may each send SIGINT for one Ctrl-C, so a second one counts only after this time.
      if (signal === 'SIGINT' && performance.now() - stoppingSince > TWICE_MS) atOnce.abort();
      return;
    }
    stoppingSince = performance.now();
    console.error('Stopping …');
    stopping.abort();
    end();
  });
}

// A server that another one runs beside itself ends with it.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

const { config, platform } = await (async () => {
  const config = readConfig(process.env);
  return { config, platform: await startPlatform(config, operatorLog, stopping.signal) };
})().catch((error: unknown) => (stopping.signal.aborted ? process.exit(0) : operatorLog.exitWithError(error)));
stop = platform.stop;
if (stopping.signal.aborted) end();

await platform.ready;
void releaseMemory(stopping.signal);
if (config.practiceUrl !== null && !stopping.signal.aborted) {
  // Started last, so that a first start is no slower.
  const { startPractice } = await import('./process/start-practice.ts');
  const stopPractice = await startPractice(config, process.env, (line) => console.log(line));
  stop = (atOnce) => Promise.all([platform.stop(atOnce), stopPractice()]).then(() => undefined);
}
// Imported late, because this file starts the database before it loads the modules.
const { missingBackupWarning } = await import('./checker/backup/index.ts');
const lost = missingBackupWarning(config.dataDir, config.databaseUrl);
if (lost !== null) console.error(lost);
const { addressLine } = await import('./process/address-line.ts');
console.log(addressLine(config));
