import type { CheckerReport } from '../checker/checker/index.ts';
import { releaseMemory } from '../platform/release-memory.ts';
import type { LogInput } from '../service/log/run-log.ts';
import { messageWithCauses, openProcessLog } from './operator-log.ts';
import type { MessageFromRole, MessageToRole, RoleCharge } from './role-process.ts';
import { openShutdownSteps } from './shutdown-steps.ts';
import type { RolesInput } from './start-roles.ts';
import type { WatcherInput } from './start-watcher.ts';

/**
 * A process that runs some roles, the watcher or the log. `role-process.ts` starts it; it ends on `stop`, or some time
 * after its parent has ended.
 */
const kind = process.argv[2];
// Loads the code while the parent prepares the charge. Watcher and log need few modules.
const loadingWatcher = kind === 'watcher' ? import('./start-watcher.ts') : null;
const loadingLog = kind === 'log' ? import('./start-log.ts') : null;
const loadingRoles = kind === 'rooms' ? import('./start-roles.ts') : null;
// Preloads the edge, which is the usual role. A fault is reported when the edge opens.
if (kind === 'rooms') import('../platform/edge/index.ts').then(({ loadEdge }) => loadEdge()).catch(() => undefined);
const operatorLog = openProcessLog();
const shutdown = openShutdownSteps(operatorLog.report);
let report: CheckerReport | null = null;
let lingerMs = 0;
const ending = new AbortController();
const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
let stopSelling: () => void = () => undefined;
let onLive: (text: string) => void = () => undefined;

const post = (message: MessageFromRole): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};

// Ctrl-C in a terminal reaches this process too, but the parent decides when it stops.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => {
  // Without its parent, an edge would not be restarted, and the next server needs its port, so it exits at once. An
  // index continues until the next server has one.
  if (lingerMs === 0) process.exit(1);
  setTimeout(() => void stop(), lingerMs);
});

async function start(charge: RoleCharge): Promise<void> {
  // Only an index and a watcher publish, because an edge's events concern only its own customers.
  const isPublishing = !('index' in charge) || charge.index !== null;
  const parts = {
    operatorLog,
    shutdown,
    link: {
      isUp: () => isPublishing && process.connected,
      publish: (text: string) => post({ kind: 'live', text }),
      receive: (listener: (text: string) => void) => {
        onLive = listener;
      },
      onReturn: () => undefined,
    },
    checked: () => report,
    isDatabaseUp: () => true,
    houseKept: begun,
  };
  const running =
    (await loadingWatcher?.then(({ startWatcher }) => startWatcher(charge as WatcherInput, parts))) ??
    (await loadingLog?.then(({ startLog }) => startLog(charge as LogInput, parts))) ??
    (await loadingRoles?.then(({ startRoles }) => startRoles(charge as RolesInput, parts)));
  if (!running) return;
  stopSelling = running.stopSelling;
  post({ kind: 'started', url: running.url });
  await running.ready;
  post({ kind: 'ready' });
  void releaseMemory(ending.signal);
}

async function stop(): Promise<void> {
  ending.abort();
  await shutdown.run();
  process.exit(0);
}

process.on('message', (received) => {
  const message = received as MessageToRole;
  if (message.kind === 'live') onLive(message.text);
  else if (message.kind === 'checked') report = message.report;
  else if (message.kind === 'stop_selling') stopSelling();
  else if (message.kind === 'begin') begin();
  else if (message.kind === 'stop') void stop();
  else {
    lingerMs = message.lingerMs;
    start(message.charge).catch((error: unknown) => {
      post({ kind: 'failed', message: messageWithCauses(error) });
      setImmediate(() => process.exit(1));
    });
  }
});
