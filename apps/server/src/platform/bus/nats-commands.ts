import { jetstreamManager } from '@nats-io/jetstream';
import type { CommandBus } from './commands.ts';
import { openNatsLink } from './nats-link.ts';
import { openNatsRequests } from './nats-requests.ts';
import { serveFromNats } from './nats-service.ts';

const TIMEOUT_MS = 5_000;
const AGE_MAX_MS = 2 * TIMEOUT_MS;
const MANAGER_TIMEOUT_MS = 1_000;

interface NatsCommandsOptions {
  readonly url: string;
  readonly onFault: (error: unknown) => void;
  /** How long a request waits for its answer. */
  readonly timeoutMs?: number;
  /** A command that no process has taken for this long is dropped. */
  readonly ageMaxMs?: number;
}

/**
 * Commands between processes over NATS JetStream: one stream per subject, acknowledged once the handler has resolved
 * (`docs/decisions/0009-bus.md`).
 */
export async function openNatsCommands({
  url,
  onFault,
  timeoutMs = TIMEOUT_MS,
  ageMaxMs = AGE_MAX_MS,
}: NatsCommandsOptions): Promise<CommandBus> {
  const link = await openNatsLink(url, { name: 'commands', noEcho: false, onFault });
  const manager = await jetstreamManager(link.connection, { timeout: MANAGER_TIMEOUT_MS }).catch(async (cause) => {
    await link.close();
    throw new Error('NATS answers, but JetStream is not enabled', { cause });
  });
  const requests = openNatsRequests(link, { timeoutMs, onFault });
  const serving = new Set<Promise<void>>();
  const closing = new AbortController();

  return {
    request: requests.request,

    async serve(subject, signal, handler) {
      const until = AbortSignal.any([signal, closing.signal]);
      const service = serveFromNats({ link, manager, ageMaxMs, onFault }, subject, until, handler);
      serving.add(service);
      await service.finally(() => serving.delete(service));
    },

    async close() {
      closing.abort();
      await Promise.allSettled(serving);
      requests.close();
      await link.close();
    },
  };
}
