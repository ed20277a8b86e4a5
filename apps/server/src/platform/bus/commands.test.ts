import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CommandBus, CommandFault, openLocalCommands, openNatsCommands, type WireValue } from './index.ts';
import { type NatsServer, startNatsServer } from './testing.ts';

let nats: NatsServer;
beforeAll(async () => {
  nats = await startNatsServer();
});
afterAll(() => nats.close());

type Open = (timeoutMs?: number) => Promise<CommandBus>;

const KINDS: [name: string, open: Open][] = [
  ['within one process', async (timeoutMs) => openLocalCommands({ ...(timeoutMs && { timeoutMs }) })],
  [
    'over NATS',
    (timeoutMs) => openNatsCommands({ url: nats.url, onFault: () => undefined, ...(timeoutMs && { timeoutMs }) }),
  ],
];

describe.each(KINDS)('commands %s', (_name, open) => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of cleanups.splice(0).reverse()) await end();
  });

  const opened = async (timeoutMs?: number): Promise<CommandBus> => {
    const commands = await open(timeoutMs);
    cleanups.push(() => commands.close());
    return commands;
  };
  const serve = (commands: CommandBus, subject: string, handler: (command: WireValue) => Promise<WireValue>) => {
    const ending = new AbortController();
    const ended = commands.serve(subject, ending.signal, handler);
    const end = async (): Promise<void> => {
      ending.abort();
      await ended;
    };
    cleanups.push(end);
    return end;
  };
  /** Once a request is answered, the server of the subject is running. */
  const requestWhenServed = async (commands: CommandBus, subject: string, command: WireValue): Promise<WireValue> => {
    const id = randomUUID();
    return vi.waitFor(() => commands.request(subject, id, command), { timeout: 120_000 });
  };
  const newSubject = (): string => `test.${randomUUID()}`;

  it('are answered by the process that serves the subject, with any JSON value', async () => {
    const commands = await opened();
    const [one, other] = [newSubject(), newSubject()];
    serve(commands, one, async (command) => ({ one: command }));
    serve(commands, other, async (command) => ({ other: command }));
    for (const command of [null, 7, 'ราคา 🐘', [1, [true]], { price: '64000.1', nested: { of: [] } }] as WireValue[]) {
      expect(await requestWhenServed(commands, one, command)).toEqual({ one: command });
      expect(await requestWhenServed(commands, other, command)).toEqual({ other: command });
    }
  });

  it('fail where no process has ever served', async () => {
    const commands = await opened();
    await expect(commands.request(newSubject(), randomUUID(), 1)).rejects.toThrow(CommandFault);
  });

  it('are faults when there is no answer in time', async () => {
    const commands = await opened(300);
    const subject = newSubject();
    let answer: ((answer: WireValue) => void) | undefined;
    serve(commands, subject, (command) =>
      command === 'quick' ? Promise.resolve(command) : new Promise((resolve) => (answer = resolve)),
    );
    await requestWhenServed(commands, subject, 'quick');
    await expect(commands.request(subject, randomUUID(), 'slow')).rejects.toThrow(CommandFault);
    answer?.('too late');
    expect(await commands.request(subject, randomUUID(), 'quick')).toBe('quick');
  });

  it('are started in their order, thousands at once', async () => {
    const commands = await opened();
    const subject = newSubject();
    const begun: WireValue[] = [];
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    serve(commands, subject, async (command) => {
      if (command === 'first') return command;
      begun.push(command);
      if (begun.length === 2_000) open?.();
      await gate;
      return command;
    });
    await requestWhenServed(commands, subject, 'first');
    const sent = Array.from({ length: 2_000 }, (_, n) => n);
    const answers = await Promise.all(sent.map((n) => commands.request(subject, `${subject} ${n}`, n)));
    expect(begun).toEqual(sent);
    expect(answers).toEqual(sent);
  });

  it('return the answer to every repetition, during execution and after it', async () => {
    const commands = await opened(3_000);
    const subject = newSubject();
    const done = new Map<string, Promise<number>>();
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let begun = 0;
    // Works like the ledger: executes the first command with an id and answers repetitions with the first result.
    serve(commands, subject, async (command) => {
      const { id } = command as { id: string };
      if (id === 'first') return null;
      begun++;
      const first = done.get(id) ?? gate.then(() => done.size);
      done.set(id, first);
      return { answer: await first };
    });
    await requestWhenServed(commands, subject, { id: 'first' });

    const id = randomUUID();
    const repeated = Array.from({ length: 64 }, () => commands.request(subject, id, { id }));
    await vi.waitFor(() => expect(begun).toBe(64), 120_000);
    open?.();
    expect(await Promise.all(repeated)).toEqual(Array.from({ length: 64 }, () => ({ answer: 1 })));
    expect(await commands.request(subject, id, { id })).toEqual({ answer: 1 });
    expect(done.size).toBe(1);
  });

  it('are delivered again until their handler does not throw', async () => {
    const commands = await opened();
    const subject = newSubject();
    let throwsLeft = 2;
    serve(commands, subject, async (command) => {
      if (command === 'hard' && throwsLeft-- > 0) throw new Error('the database is away');
      return command;
    });
    await requestWhenServed(commands, subject, 'easy');
    expect(await commands.request(subject, randomUUID(), 'hard')).toBe('hard');
    expect(throwsLeft).toBe(-1);
  });

  it('are not started after the signal aborts, and those that run are answered first', async () => {
    const commands = await opened(2_000);
    const subject = newSubject();
    let open: (() => void) | undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let begun = 0;
    const end = serve(commands, subject, async (command) => {
      if (command === 'first') return command;
      begun++;
      await gate;
      return command;
    });
    await requestWhenServed(commands, subject, 'first');
    const underWay = commands.request(subject, randomUUID(), 'under way');
    await vi.waitFor(() => expect(begun).toBe(1), 120_000);
    let isEnded = false;
    const ended = end().then(() => (isEnded = true));
    const later = commands.request(subject, randomUUID(), 'later').catch((fault: unknown) => fault);
    expect(isEnded).toBe(false);
    open?.();
    expect(await underWay).toBe('under way');
    await ended;
    expect(begun).toBe(1);
    serve(commands, subject, async (command) => `another: ${command as string}`);
    // The command either waits for the next process or was refused at once.
    expect([expect.any(CommandFault), 'another: later']).toContainEqual(await later);
    expect(await requestWhenServed(commands, subject, 'now')).toBe('another: now');
  });

  it('are refused after the bus is closed', async () => {
    const commands = await open();
    const subject = newSubject();
    await commands.close();
    await expect(commands.request(subject, randomUUID(), 1)).rejects.toThrow(CommandFault);
  });
});
