import type { Bus, BusEvents } from './bus.ts';
import { decodeEvents, encodeEvent } from './event-wire.ts';
import type { LiveLink } from './live-link.ts';

/** What other processes can't make themselves; tickers, candles and ticks each process reads from the database. */
const BRIDGED = [
  'published',
  'funds',
  'order',
  'contract',
  'book',
  'trades',
  'trades_candle',
  'message',
  'session_ended',
  'gap',
] as const satisfies (keyof BusEvents)[];
type Bridged = (typeof BRIDGED)[number];
type BridgedEvent = { [Name in Bridged]: readonly [name: Name, event: BusEvents[Name][0]] }[Bridged];

/** A letter is three bytes at most, and NATS carries a megabyte in one message. */
const BATCH_MAX_LENGTH = 300_000;

const isBridged = (name: unknown): name is Bridged => (BRIDGED as readonly unknown[]).includes(name);

/**
 * Sends this process's live events to the others, all of one turn of the loop together, and emits theirs here. The link must not echo.
 * Delivered at most once: while the link is down they are lost. A process that comes back emits `gap`, which is bridged too.
 */
export function bridgeBus(bus: Bus, link: LiveLink, onFault: (error: unknown) => void): void {
  let turn = new Map<string, BridgedEvent>();
  let isArriving = false;

  const add = (...event: BridgedEvent): void => {
    if (isArriving) return;
    if (turn.size === 0) setImmediate(send);
    const key = keyOf(event, turn.size);
    const before = turn.get(key);
    turn.delete(key);
    turn.set(key, before ? merged(before, event) : event);
  };

  const send = (): void => {
    const events = turn;
    turn = new Map();
    if (!link.isUp()) return;
    let batch: string[] = [];
    let length = 0;
    const publish = (): void => {
      try {
        link.publish(`[${batch.join(',')}]`);
      } catch (error) {
        onFault(error);
      }
      batch = [];
      length = 0;
    };
    for (const event of events.values()) {
      const text = encodeEvent(event);
      if (length > 0 && length + text.length > BATCH_MAX_LENGTH) publish();
      batch.push(text);
      length += text.length;
    }
    publish();
  };

  const receive = (text: string): void => {
    const events = decodeEvents(text) as BridgedEvent[];
    isArriving = true;
    try {
      for (const [name, event] of events) {
        if (!isBridged(name)) continue; // Of a newer version's process.
        try {
          bus.emit(name, ...([event] as BusEvents[typeof name]));
        } catch (error) {
          onFault(error);
        }
      }
    } finally {
      isArriving = false;
    }
  };

  for (const name of BRIDGED)
    bus.on(name, (event: BusEvents[typeof name][0]) => add(...([name, event] as BridgedEvent)));
  link.onReturn(() => bus.emit('gap', new Date()));
  link.receive((text) => {
    try {
      receive(text);
    } catch (fault) {
      onFault(fault);
    }
  });
}

/** Within one turn, whose accounts moved is told once, and of a book only how it is at the end. */
function keyOf([name, event]: BridgedEvent, place: number): string {
  if (name === 'funds' || name === 'gap' || name === 'published') return name;
  if (name === 'book') return `${name} ${event.code}`;
  return `${name} ${place}`;
}

function merged(before: BridgedEvent, event: BridgedEvent): BridgedEvent {
  if (before[0] === 'funds' && event[0] === 'funds') return ['funds', new Set([...before[1], ...event[1]])];
  return event;
}
