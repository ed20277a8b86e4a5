import type { Report } from './checker/index.ts';
import { openEndings } from './endings.ts';
import type { FromRole, ToRole } from './role-process.ts';
import { type Charge, startRoles } from './start-roles.ts';
import { processVoice, wholeMessage } from './voice.ts';

/** A process of some roles. Started by `role-process.ts`; ends when told to, or when the process above it is gone. */
const voice = processVoice();
const endings = openEndings(voice.report);
let report: Report | null = null;
let lingerMs = 0;
let stopSelling: () => void = () => undefined;
let hear: (text: string) => void = () => undefined;

const tell = (message: FromRole): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

// The terminal's Ctrl-C reaches this process too; the one above says when its work is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => {
  // Nobody is left to start an edge again, and the next server wants its port. An index goes on until the next server
  // has one.
  if (lingerMs === 0) process.exit(1);
  setTimeout(() => void stop(), lingerMs);
});

async function start(charge: Charge): Promise<void> {
  const running = await startRoles(charge, {
    voice,
    endings,
    link: {
      // What the edge does, only its own customers hear.
      isUp: () => charge.index !== null && process.connected,
      publish: (text) => tell({ kind: 'live', text }),
      receive: (listener) => {
        hear = listener;
      },
      onReturn: () => undefined,
    },
    checked: () => report,
    isDatabaseUp: () => true,
  });
  stopSelling = running.stopSelling;
  tell({ kind: 'started', url: running.url });
  await running.ready;
  tell({ kind: 'ready' });
}

async function stop(): Promise<void> {
  await endings.run();
  process.exit(0);
}

process.on('message', (message) => {
  const said = message as ToRole;
  if (said.kind === 'live') hear(said.text);
  else if (said.kind === 'checked') report = said.report;
  else if (said.kind === 'stop_selling') stopSelling();
  else if (said.kind === 'stop') void stop();
  else {
    lingerMs = said.lingerMs;
    start(said.charge).catch((error: unknown) => {
      tell({ kind: 'failed', message: wholeMessage(error) });
      setImmediate(() => process.exit(1));
    });
  }
});
