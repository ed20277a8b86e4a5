import { pino } from 'pino';
import { readConfig } from './config.ts';
import { DEMO_CUSTOMER } from './demo/index.ts';
import { startPlatform } from './start-platform.ts';

const log = pino({ name: 'sathorn', level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2));
const voice = {
  say: (line: string) => console.error(line),
  report: (error: unknown, where: string) => log.error({ err: error, where }, 'a fault'),
};

const config = readConfig(process.env);
const platform = await startPlatform(config, voice);

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    console.error('Stopping …');
    platform.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        voice.report(error, 'stop');
        process.exit(1);
      },
    );
  });
}

if (config.mode === 'demo')
  console.log(
    `Sathorn, demo mode: ${config.baseUrl}   customer ${DEMO_CUSTOMER.username}   password ${DEMO_CUSTOMER.password}`,
  );
else console.log(`Sathorn: ${config.baseUrl}`);
