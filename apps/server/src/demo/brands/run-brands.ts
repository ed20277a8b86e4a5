import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type BrandHost, brandEnvironmentOf, readBrandHosts } from './brand-hosts.ts';
import { openHostRouter } from './open-host-router.ts';

const MAIN = path.resolve(import.meta.dirname, '../../main.ts');
const RESTART_MS = 1_000;

interface RunningBrands {
  readonly url: string;
  stop(signal: NodeJS.Signals): Promise<void>;
}

/** Finds a free port on the loopback interface. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Runs a whole server per brand, each with its own processes, folder, database and keys, behind one port that chooses
 * by host name. A brand's server that exits is restarted; the others keep running.
 */
export async function runBrands(env: NodeJS.ProcessEnv, print: (line: string) => void): Promise<RunningBrands> {
  const hosts = readBrandHosts(env.BRANDS ?? '');
  const frontPort = Number(env.PORT || '3000');
  const ports = new Map<string, number>();
  const children = new Map<string, ChildProcess>();
  let isStopping = false;

  const start = (one: BrandHost, port: number): void => {
    const child = spawn(process.execPath, [...process.execArgv, MAIN], {
      env: brandEnvironmentOf(one, env, { port, frontPort }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.set(one.brand.id, child);
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => print(`[${one.brand.id}] ${line}`));
    child.on('exit', (code) => {
      children.delete(one.brand.id);
      if (isStopping) return;
      print(`[${one.brand.id}] ended with ${code}; it is started again`);
      setTimeout(() => !isStopping && start(one, port), RESTART_MS);
    });
  };
  // Checks the whole configuration first, so that an invalid one starts no server.
  for (const one of hosts) brandEnvironmentOf(one, env, { port: 0, frontPort });
  for (const one of hosts) {
    const port = await freePort();
    ports.set(one.host, port);
    start(one, port);
  }
  const front = openHostRouter({ portOf: (host) => ports.get(host), proxyHops: Number(env.TRUST_PROXY || '0') });
  front.listen({ host: env.HOST || 'localhost', port: frontPort });
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    async stop(signal) {
      isStopping = true;
      front.close();
      front.closeIdleConnections();
      await Promise.all(
        [...children.values()].map(async (child) => {
          const ended = once(child, 'exit');
          child.kill(signal);
          await ended;
        }),
      );
      front.closeAllConnections();
    },
  };
}
