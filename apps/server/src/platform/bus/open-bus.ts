import { bridgeBus } from './bridge-bus.ts';
import { Bus, type OpenedBus } from './bus.ts';
import { type LiveLink, openNatsLiveLink } from './live-link.ts';
import { openLocalCommands } from './local-commands.ts';
import type { openNatsCommands as open } from './nats-commands.ts';

/** Loads the client of NATS, which only a deployment with `NATS_URL` needs. */
export const openNatsCommands: typeof open = async (options) =>
  (await import('./nats-commands.ts')).openNatsCommands(options);

/**
 * With a URL, opens a bus over NATS. Without one, opens a bus within this process, with `link` to the machine's other
 * processes.
 */
export async function openBus({
  natsUrl,
  link,
  onFault,
}: {
  natsUrl: string | null;
  link?: LiveLink;
  onFault: (error: unknown) => void;
}): Promise<OpenedBus> {
  const bus = new Bus(onFault);
  if (natsUrl === null) {
    if (link !== undefined) bridgeBus(bus, link, onFault);
    const commands = openLocalCommands({ onFault });
    return { bus, commands, close: commands.close };
  }
  const commands = await openNatsCommands({ url: natsUrl, onFault });
  const { openNatsLink } = await import('./nats-link.ts');
  // Live events use their own connection, so that a burst of them does not delay an answer.
  const live = await openNatsLink(natsUrl, { name: 'live', noEcho: true, onFault }).catch(async (error: unknown) => {
    await commands.close();
    throw error;
  });
  bridgeBus(bus, openNatsLiveLink(live, onFault), onFault);
  // Returns only after the server has read the subscription; messages sent before that would be lost.
  await live.connection.flush();
  return {
    bus,
    commands,
    async close() {
      await commands.close();
      await live.close();
    },
  };
}
