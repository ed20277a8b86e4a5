import { expect, test } from 'vitest';
import { openStream, STREAM_SILENCE_MAX_MS, type StreamSocket } from './stream.ts';

/** Dependencies without a network: the test answers on its connections and controls the time. */
function surroundings(token: string | null = null) {
  let time = 1_000_000;
  const lines: (StreamSocket & { sent: unknown[]; isClosed: boolean })[] = [];
  const waiting = new Set<{ at: number; run: () => void }>();
  const ended: string[] = [];
  return {
    lines,
    ended,
    advance(ms: number) {
      time += ms;
      for (const entry of [...waiting].sort((a, b) => a.at - b.at)) {
        if (entry.at > time || !waiting.delete(entry)) continue;
        entry.run();
      }
    },
    stream: openStream({
      now: () => time,
      token: () => token,
      sessionEnded: (of) => ended.push(of),
      chance: () => 1,
      later(run, ms) {
        const entry = { at: time + ms, run };
        waiting.add(entry);
        return () => waiting.delete(entry);
      },
      connect() {
        const line: (typeof lines)[number] = {
          sent: [],
          isClosed: false,
          send: (text) => line.sent.push(JSON.parse(text)),
          close: () => {
            line.isClosed = true;
          },
          onopen: null,
          onmessage: null,
          onclose: null,
        };
        lines.push(line);
        return line;
      },
    }),
    say: (line: StreamSocket | undefined, frame: unknown) => line?.onmessage?.({ data: JSON.stringify(frame) }),
  };
}

const at = new Date(1_000_500).toISOString();

test('subscribes with the first listener, unsubscribes with the last, and passes on snapshots', () => {
  const { stream, lines, say, advance } = surroundings('token-1');
  const heard: unknown[] = [];
  const stop = stream.on('tickers', (tickers, isSnapshot) => heard.push([tickers, isSnapshot]));
  lines[0]?.onopen?.();
  expect(lines[0]?.sent).toEqual([
    { op: 'auth', token: 'token-1' },
    { op: 'subscribe', topics: ['tickers'] },
  ]);
  say(lines[0], { op: 'event', at, events: [{ topic: 'tickers', data: [], snapshot: true }] });
  say(lines[0], {
    op: 'event',
    at,
    events: [
      { topic: 'tickers', data: [] },
      { topic: 'orders', data: [] },
    ],
  });
  expect(heard).toEqual([
    [[], true],
    [[], false],
  ]);
  expect(stream.clockOffsetMs).toBe(500);
  stop();
  advance(1_000);
  expect(lines[0]?.sent.at(-1)).toEqual({ op: 'unsubscribe', topics: ['tickers'] });
});

test('pages opened in quick succession send few frames, and keep topics that the next page needs', () => {
  const { stream, lines, advance } = surroundings();
  const stopTickers = stream.on('tickers', () => {});
  lines[0]?.onopen?.();
  const sent = lines[0]?.sent ?? [];
  sent.length = 0;
  const stopOrders = stream.on('orders', () => {});
  stream.on('book:BTC', () => {});
  advance(0);
  expect(sent.splice(0)).toEqual([{ op: 'subscribe', topics: ['orders', 'book:BTC'] }]);
  stopOrders();
  stopTickers();
  stream.on('tickers', () => {});
  stream.on('book:BTC', () => {});
  advance(99);
  expect(sent).toEqual([]);
  advance(1);
  expect(sent.splice(0)).toEqual([{ op: 'subscribe', topics: ['tickers', 'book:BTC'] }]);
  advance(900);
  expect(sent).toEqual([{ op: 'unsubscribe', topics: ['orders'] }]);
});

test('takes the clock and the freshness of prices from answers if the stream is blocked', () => {
  const { stream, lines, advance } = surroundings();
  stream.on('tickers', () => {});
  lines[0]?.onclose?.();
  expect([stream.clockOffsetMs, stream.lastAnswerAt]).toEqual([0, 0]);
  advance(1_000);
  stream.heard(new Date(1_001_700).toISOString(), 1_000_900);
  stream.heard(new Date(1_001_200).toISOString(), 1_000_800);
  expect([stream.clockOffsetMs, stream.lastAnswerAt]).toEqual([699, 1_000_900]);
});

test('announces a session that ended elsewhere; an unavailable topic does not end the session', () => {
  const { stream, lines, say, ended } = surroundings('token-1');
  stream.on('tickers', () => {});
  lines[0]?.onopen?.();
  say(lines[0], { op: 'refused', code: 'session_required', topic: 'orders' });
  say(lines[0], { op: 'refused', code: 'too_many_topics' });
  expect(ended).toEqual([]);
  say(lines[0], { op: 'refused', code: 'session_required' });
  expect(ended).toEqual(['token-1']);
});

test('reconnects after a drop with growing waits, and subscribes again', () => {
  const { stream, lines, advance } = surroundings();
  stream.on('tickers', () => {});
  lines[0]?.onclose?.();
  expect(stream.state).toBe('closed');
  advance(399);
  expect(lines).toHaveLength(1);
  advance(1);
  expect(lines).toHaveLength(2);
  lines[1]?.onclose?.();
  advance(799);
  expect(lines).toHaveLength(2);
  advance(1);
  lines[2]?.onopen?.();
  expect(stream.state).toBe('open');
  expect(lines[2]?.sent).toEqual([{ op: 'subscribe', topics: ['tickers'] }]);
});

test('C13 drops a silent connection that looks open', () => {
  const { stream, lines, advance } = surroundings();
  stream.on('tickers', () => {});
  lines[0]?.onopen?.();
  for (let elapsed = 0; elapsed <= STREAM_SILENCE_MAX_MS + 5_000; elapsed += 5_000) advance(5_000);
  expect(lines[0]?.isClosed).toBe(true);
});

test('a page that comes to the foreground does not wait for the backoff', () => {
  const { stream, lines } = surroundings();
  stream.on('tickers', () => {});
  lines[0]?.onclose?.();
  stream.wake();
  expect(lines).toHaveLength(2);
});

test('a new session opens a new connection', () => {
  const { stream, lines } = surroundings('token-2');
  stream.on('orders', () => {});
  lines[0]?.onopen?.();
  stream.authenticate();
  expect(lines[0]?.isClosed).toBe(true);
  expect(lines).toHaveLength(2);
});
