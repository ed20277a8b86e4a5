import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect as connectNats } from '@nats-io/transport-node';
import { streamNameOf } from './nats-wire.ts';

export interface NatsServer {
  readonly url: string;
  readonly pid: number;
  /** Kills it with SIGKILL; its store remains. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Deletes its store. Call it only while it is not running. */
  forget(): void;
  /** How many commands are waiting in a subject's stream. */
  storedIn(subject: string): Promise<number>;
  /** Kills it and deletes its store. */
  close(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('data', () => resolve(true)); // The server sends a greeting to each connection.
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

/** Starts a nats-server for one test, with its store in a temporary folder. It listens only on this machine. */
export async function startNatsServer(): Promise<NatsServer> {
  const command = process.env.NATS_SERVER ?? 'nats-server';
  const port = await freePort();
  const store = mkdtempSync(path.join(tmpdir(), 'sathorn-nats-'));
  let child: ChildProcess;

  const start = async (): Promise<void> => {
    child = spawn(command, ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store], { stdio: 'ignore' });
    const failed = new Promise<never>((_resolve, reject) => {
      child.once('error', (cause) =>
        reject(new Error('nats-server is not on the path; `npm test` brings it on Debian', { cause })),
      );
      child.once('exit', () => reject(new Error('nats-server has ended')));
    });
    failed.catch(() => undefined); // Its later exit is not an error.
    for (;;) {
      if (await Promise.race([isListening(port), failed])) return;
      await Promise.race([sleep(20), failed]);
    }
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0;
    },
    kill,
    start,
    forget: () => rmSync(store, { recursive: true, force: true }),
    async storedIn(subject) {
      const connection = await connectNats({ servers: `127.0.0.1:${port}` });
      try {
        const manager = await jetstreamManager(connection);
        return (await manager.streams.info(streamNameOf(subject))).state.messages;
      } finally {
        await connection.close();
      }
    },
    async close() {
      await kill();
      rmSync(store, { recursive: true, force: true });
    },
  };
}
