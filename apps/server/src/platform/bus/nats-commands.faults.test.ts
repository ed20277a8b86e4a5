import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CommandBus, CommandFault, openNatsCommands, type WireValue } from './index.ts';
import { type NatsServer, startNatsServer } from './testing.ts';

const TAKEOVER_MAX_MS = 2_000;

describe('commands over NATS when processes die', () => {
  let nats: NatsServer;
  let cleanups: (() => unknown)[];
  beforeEach(async () => {
    nats = await startNatsServer();
    cleanups = [() => nats.close()];
  });
  afterEach(async () => {
    for (const end of cleanups.reverse()) await end();
  });

  const opened = async (timeoutMs = 10_000, ageMaxMs = 30_000): Promise<CommandBus> => {
    const commands = await openNatsCommands({ url: nats.url, onFault: () => undefined, timeoutMs, ageMaxMs });
    cleanups.push(() => commands.close());
    return commands;
  };
  const serve = (
    commands: CommandBus,
    subject: string,
    handler: (command: WireValue) => Promise<WireValue>,
  ): AbortController => {
    const ending = new AbortController();
    const ended = commands.serve(subject, ending.signal, handler);
    cleanups.push(() => {
      ending.abort();
      return ended;
    });
    return ending;
  };
  const requestWhenServed = (commands: CommandBus, subject: string, command: WireValue): Promise<WireValue> => {
    const id = randomUUID();
    return vi.waitFor(() => commands.request(subject, id, command), { timeout: 120_000 });
  };
  /** A process that serves a subject but answers only `ping`; it reports when it has started `count` commands. */
  const startMute = async (subject: string, count: number): Promise<{ child: ChildProcess; isFull: Promise<void> }> => {
    const worker = fileURLToPath(new URL('./testing-mute-worker.ts', import.meta.url));
    const child = spawn(process.execPath, [worker, nats.url, subject, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanups.push(() => child.kill('SIGKILL'));
    const isFull = once(child.stdout, 'data').then(() => undefined);
    return { child, isFull };
  };

  it('a successor of a killed process gets all unacknowledged commands in order, within two seconds', async () => {
    const [subject, count] = ['test.takeover', 3_000];
    const { child, isFull } = await startMute(subject, count);
    const edge = await opened();
    await requestWhenServed(edge, subject, 'ping');
    const sent = Array.from({ length: count }, (_, n) => n);
    const answers = Promise.all(sent.map((n) => edge.request(subject, `order ${n}`, n)));
    await isFull;
    child.kill('SIGKILL');
    await once(child, 'exit');

    const begin = performance.now();
    const begun: WireValue[] = [];
    serve(await opened(), subject, async (command) => {
      begun.push(command);
      return { done: command };
    });
    expect(await answers).toEqual(sent.map((n) => ({ done: n })));
    const took = performance.now() - begin;
    console.log(`takeover of ${count} commands: ${took.toFixed(0)} ms`);
    expect(took).toBeLessThan(TAKEOVER_MAX_MS);
    expect(begun).toEqual(sent);
  });

  it('of two processes that serve, the newer gets the commands, and the older again when the newer is killed', async () => {
    const subject = 'test.two';
    const edge = await opened(20_000);
    serve(await opened(), subject, async () => 'first');
    expect(await requestWhenServed(edge, subject, 'who')).toBe('first');
    const { child, isFull } = await startMute(subject, 1);
    expect(
      await vi.waitFor(async () => {
        const answer = await edge.request(subject, randomUUID(), 'ping');
        expect(answer).toBe('pong');
        return answer;
      }, 120_000),
    ).toBe('pong');
    const mute = edge.request(subject, randomUUID(), 'who');
    await isFull;
    child.kill('SIGKILL');
    expect(await mute).toBe('first');
  });

  it('answers all requests sent before, during and after a server crash that keeps its store', async () => {
    const subject = 'test.restart';
    const edge = await opened(20_000);
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const carriedOut = new Set<WireValue>();
    let begun = 0;
    serve(await opened(), subject, async (command) => {
      if (command === 'ping') return 'pong';
      begun++;
      await gate;
      carriedOut.add(command);
      return { done: command };
    });
    await requestWhenServed(edge, subject, 'ping');
    const sent = (from: number): Promise<WireValue[]> =>
      Promise.all(Array.from({ length: 500 }, (_, n) => edge.request(subject, `order ${from + n}`, from + n)));
    const before = sent(0);
    await vi.waitFor(() => expect(begun).toBe(500), 120_000);
    await nats.kill();
    open?.(); // Executed while their answers cannot be sent.
    await vi.waitFor(() => expect(carriedOut.size).toBe(500), 120_000);
    const meanwhile = sent(500);
    await nats.start();
    const begin = performance.now();
    const answers = [...(await before), ...(await meanwhile), ...(await sent(1_000))];
    console.log(`after the server's return: ${(performance.now() - begin).toFixed(0)} ms`);
    expect(answers).toEqual(Array.from({ length: 1_500 }, (_, n) => ({ done: n })));
    expect(carriedOut.size).toBe(1_500);
  });

  it('when the server comes back without its store, serving continues', async () => {
    const subject = 'test.lost';
    const edge = await opened();
    serve(await opened(), subject, async (command) => command);
    await requestWhenServed(edge, subject, 1);
    await nats.kill();
    nats.forget();
    await nats.start();
    expect(await requestWhenServed(edge, subject, 2)).toBe(2);
  });

  it('when the server stays away, a request fails in time', async () => {
    const subject = 'test.away';
    const edge = await opened(300);
    serve(await opened(), subject, async (command) => command);
    await requestWhenServed(edge, subject, 1);
    await nats.kill();
    await expect(edge.request(subject, randomUUID(), 2)).rejects.toThrow(CommandFault);
    await nats.start();
  });

  it('a repetition by another process while the first is under way is answered, and so is one long after it', async () => {
    const subject = 'test.repeated';
    const [edge, other, matcher] = [await opened(), await opened(), await opened()];
    const first = new Map<string, Promise<WireValue>>();
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let begun = 0;
    serve(matcher, subject, async (command) => {
      if (command === 'ping') return 'pong';
      begun++;
      const { id } = command as { id: string };
      const answer = first.get(id) ?? gate.then(() => ({ place: first.size }));
      first.set(id, answer);
      return answer;
    });
    await requestWhenServed(edge, subject, 'ping');
    const id = randomUUID();
    const asked = [edge, other, edge, other].map((each) => each.request(subject, id, { id }));
    await vi.waitFor(() => expect(begun).toBe(4), 120_000);
    open?.();
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 4 }, () => ({ place: 1 })));
    expect(await (await opened()).request(subject, id, { id })).toEqual({ place: 1 });
  });

  it('does not carry out a command long after its caller timed out', async () => {
    const subject = 'test.late';
    const edge = await opened(200);
    const ending = serve(await opened(200, 1_000), subject, async (command) => command);
    await requestWhenServed(edge, subject, 'ping');
    ending.abort();
    await vi.waitFor(() => expect(edge.request(subject, 'late', 'late')).rejects.toThrow('no answer in time'), 120_000);
    // The NATS server uses its own clock, which the test cannot control.
    const begun: WireValue[] = [];
    await vi.waitFor(async () => expect(await nats.storedIn(subject)).toBe(0), { timeout: 120_000 });
    serve(await opened(200, 1_000), subject, async (command) => {
      begun.push(command);
      return command;
    });
    await requestWhenServed(edge, subject, 'now');
    expect(begun).toEqual(['now']);
  });
});
