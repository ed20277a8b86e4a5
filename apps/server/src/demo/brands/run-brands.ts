import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { brandEnvironmentOf, readBrandHosts } from './brand-hosts.ts';
import { openHostRouter } from './open-host-router.ts';
import { type SupervisedServer, superviseServer } from './supervise-server.ts';

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
  const servers: SupervisedServer[] = [];
  // Checks the whole configuration first, so that an invalid one starts no server.
  for (const one of hosts) brandEnvironmentOf(one, env, { port: 0, frontPort });
  for (const one of hosts) {
    const port = await freePort();
    ports.set(one.host, port);
    servers.push(superviseServer(one.brand.id, brandEnvironmentOf(one, env, { port, frontPort }), print));
  }
  const front = openHostRouter({ portOf: (host) => ports.get(host), proxyHops: Number(env.TRUST_PROXY || '0') });
  front.listen({ host: env.HOST || 'localhost', port: frontPort });
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    async stop(signal) {
      front.close();
      front.closeIdleConnections();
      await Promise.all(servers.map((server) => server.stop(signal)));
      front.closeAllConnections();
    },
  };
}
