import type { Report } from './checker/index.ts';
import type { FromEdge, ToEdge } from './edge-process.ts';
import { openEndings } from './endings.ts';
import { type Charge, startRoles } from './start-roles.ts';
import { processVoice, wholeMessage } from './voice.ts';

/** The process of the edge. Started by `edge-process.ts`; ends when told to, or when the process above it is gone. */
const voice = processVoice();
const endings = openEndings(voice.report);
let report: Report | null = null;
let stopSelling: () => void = () => undefined;
let hear: (text: string) => void = () => undefined;

const tell = (message: FromEdge): void => void process.send?.(message, undefined, undefined, () => undefined);

// The terminal's Ctrl-C reaches this process too; the one above says when its work is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Nobody is left to start it again, and the next server wants its port.
process.on('disconnect', () => process.exit(1));

async function start(charge: Charge): Promise<void> {
  const { url, ready, rooms } = await startRoles(charge, {
    voice,
    endings,
    link: {
      isUp: () => false,
      publish: () => undefined,
      receive: (listener) => {
        hear = listener;
      },
      onReturn: () => undefined,
    },
    checked: () => report,
    isDatabaseUp: () => true,
  });
  stopSelling = rooms.options.stopSelling;
  tell({ kind: 'listening', url });
  await ready;
  tell({ kind: 'ready' });
}

async function stop(): Promise<void> {
  await endings.run();
  process.exit(0);
}

process.on('message', (message) => {
  const said = message as ToEdge;
  if (said.kind === 'live') hear(said.text);
  else if (said.kind === 'checked') report = said.report;
  else if (said.kind === 'stop_selling') stopSelling();
  else if (said.kind === 'stop') void stop();
  else
    start(said.charge).catch((error: unknown) => {
      tell({ kind: 'failed', message: wholeMessage(error) });
      setImmediate(() => process.exit(1));
    });
});
