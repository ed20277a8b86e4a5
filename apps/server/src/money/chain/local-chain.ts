import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { openRpc, type Rpc } from './rpc.ts';

export interface LocalChain {
  readonly url: string;
  /** The node's current process id; it changes with each restart. */
  pid(): number | null;
  stop(): Promise<void>;
}

interface LocalChainOptions {
  readonly dataDir: string;
  readonly print: (line: string) => void;
  /** 0 for any free port. */
  readonly port?: number;
  /** 0 to mine blocks by hand, as tests do. */
  readonly blockMs?: number;
  /** Keeps the state of every block in memory. Tests of reorganisations need it to revert blocks. */
  readonly keepsHistory?: boolean;
  /** Runs after each start: a node that is killed in its first seconds loses its state. */
  readonly prepare?: (url: string) => Promise<void>;
}

const BLOCK_MS = 2_000;
/** Every block uses up memory of the node for good, so an idle chain mines only one per minute. */
const IDLE_BLOCK_MS = 60_000;
/** How many blocks after the last transaction are mined at full pace; more than any confirmation depth. */
const BUSY_BLOCKS = 40;
/** More than the confirmations at which custody is counted, because balances at an older block need its state. */
const KEPT_STATES = 64;
const STATE_EVERY_S = 5;
const LAUNCH_EVERY_MS = 250;
const READY_MAX_MS = 20_000;

function packagedBinary(): string | null {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  try {
    const found = createRequire(import.meta.url).resolve(
      `@foundry-rs/anvil-${process.platform}-${architecture}/package.json`,
    );
    const binary = path.join(path.dirname(found), 'bin', 'anvil');
    // npm keeps the packed file's mode, and install scripts don't run here, so this makes the file executable.
    chmodSync(binary, 0o755);
    return binary;
  } catch {
    return null;
  }
}
/** True if a node binary exists for this platform. */
export const hasLocalChain = (): boolean => packagedBinary() !== null;

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const at = server.address();
      server.close(() => resolve(typeof at === 'object' && at !== null ? at.port : 0));
    });
  });

interface Running {
  readonly pid: number;
  readonly port: number;
}

function readRunning(file: string, state: string): Running | null {
  try {
    const { pid, port } = JSON.parse(readFileSync(file, 'utf8')) as Running;
    process.kill(pid, 0);
    // After a reboot the process id may belong to another program.
    if (process.platform === 'linux' && !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(state)) return null;
    return { pid, port };
  } catch {
    return null;
  }
}

/** The chain's file within a data folder. */
export const LOCAL_CHAIN_FILE = 'chain/state.json';

/**
 * The chain's current state; null without a chain. It comes from a running node if there is one: the node saves its
 * file only every few seconds, and a backup must not contain a chain that is older than its books.
 */
export async function readLocalChainState(dataDir: string): Promise<Buffer | null> {
  const state = path.join(dataDir, LOCAL_CHAIN_FILE);
  const running = readRunning(path.join(dataDir, 'chain', 'running.json'), state);
  if (running !== null) {
    const node = openRpc(`http://127.0.0.1:${running.port}`, { patienceMs: READY_MAX_MS });
    const dumped = await node.call<string>('anvil_dumpState', []).catch(() => null);
    if (dumped !== null) return gunzipSync(Buffer.from(dumped.slice(2), 'hex'));
  }
  return existsSync(state) ? readFileSync(state) : null;
}

/**
 * Starts a local EVM chain as a child process, or adopts one that a killed server left running. Restarts it when it
 * dies. The node saves its state every few seconds, which is faster than a deposit confirms, so everything credited is
 * on disk. A killed node may lose its newest blocks, which looks like a reorganisation.
 */
export async function startLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  const { dataDir, print, blockMs = BLOCK_MS, keepsHistory = false } = options;
  const folder = path.join(dataDir, 'chain');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [state, runningFile] = [path.join(folder, 'state.json'), path.join(folder, 'running.json')];
  const binary = packagedBinary();
  if (binary === null) throw new Error(`no local chain for ${process.platform}-${process.arch} is installed`);
  const adopted = readRunning(runningFile, state);
  const lastPort = (): number => {
    try {
      return (JSON.parse(readFileSync(runningFile, 'utf8')) as Running).port;
    } catch {
      return 0;
    }
  };
  const port = adopted?.port ?? (options.port || (await freePort()));
  if (adopted && lastPort() !== port) throw new Error('two local chains in one folder');
  const url = `http://127.0.0.1:${port}`;
  const rpc = openRpc(url, { patienceMs: 5_000 });

  let child: ChildProcess | null = null;
  let pid: number | null = adopted?.pid ?? null;
  let isStopping = false;
  const isAlive = (): boolean => {
    if (pid === null) return false;
    if (child?.pid === pid) return child.exitCode === null && child.signalCode === null;
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  let launches = 0;
  const launch = (): void => {
    launches += 1;
    const flags = ['--host', '127.0.0.1', '--port', String(port), '--no-mining', '--chain-id', '31337'];
    const memory = [
      '--accounts',
      '2',
      '--hardfork',
      'shanghai',
      '--quiet',
      ...(keepsHistory ? [] : ['--prune-history', String(KEPT_STATES)]),
    ];
    child = spawn(binary, [...flags, ...memory, '--state', state, '--state-interval', String(STATE_EVERY_S)], {
      cwd: folder,
      // The chain gets its own process group, so that Ctrl-C does not end it before the parts that use it.
      detached: true,
      stdio: 'ignore',
      env: { PATH: '/usr/bin:/bin', HOME: folder },
    });
    child.on('error', (error) => print(`the local chain could not be started: ${error.message}`));
    pid = child.pid ?? null;
    if (pid !== null) writeFileSync(runningFile, JSON.stringify({ pid, port }), { mode: 0o600 });
  };
  const isReady = (): Promise<boolean> =>
    openRpc(url, { patienceMs: 500 })
      .call('eth_chainId', [])
      .then(
        () => true,
        () => false,
      );
  const untilReady = async (): Promise<void> => {
    const deadline = Date.now() + READY_MAX_MS;
    while (!isStopping) {
      if (!isAlive()) launch();
      if (await isReady()) return options.prepare?.(url);
      if (Date.now() > deadline) throw new Error(`the local chain does not start; its state is ${state}`);
      await pause(LAUNCH_EVERY_MS / 5);
    }
  };
  await untilReady();

  const ending = new AbortController();
  const mining = blockMs > 0 ? mine(rpc, blockMs, () => launches, ending.signal) : Promise.resolve();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      await pause(LAUNCH_EVERY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
      if (ending.signal.aborted || isAlive()) continue;
      print('the local chain stopped; starting it again');
      await untilReady().catch((error: Error) => print(error.message));
    }
  })();

  return {
    url,
    pid: () => (isAlive() ? pid : null),
    async stop() {
      isStopping = true;
      ending.abort();
      await Promise.all([mining, watching]);
      // On SIGTERM the node saves its state before it exits.
      if (pid !== null && isAlive()) process.kill(pid, 'SIGTERM');
      for (let waited = 0; isAlive() && waited < 10_000; waited += 25) await pause(25);
      if (pid !== null && isAlive()) process.kill(pid, 'SIGKILL');
    },
  };
}

/** Mines a block every `blockMs` while there are recent transactions, otherwise one a minute. */
async function mine(rpc: Rpc, blockMs: number, launches: () => number, signal: AbortSignal): Promise<void> {
  let quiet = 0;
  let known = launches();
  let lastMs = 0;
  while (!signal.aborted) {
    await pause(blockMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      // A node that was restarted has lost the states of earlier blocks, but custody is counted some blocks back. So
      // new blocks follow at full pace.
      if (known !== launches()) [known, quiet] = [launches(), 0];
      const { pending } = await rpc.call<{ pending: string }>('txpool_status', []);
      const isIdle = BigInt(pending) === 0n && quiet >= BUSY_BLOCKS;
      if (isIdle && Date.now() - lastMs < IDLE_BLOCK_MS) continue;
      await rpc.call('evm_mine', []);
      // Checks the mined block instead of the pending transactions, because one may arrive in between.
      const { transactions } = await rpc.call<{ transactions: unknown[] }>('eth_getBlockByNumber', ['latest', false]);
      quiet = transactions.length > 0 ? 0 : quiet + 1;
      lastMs = Date.now();
    } catch {
      // The node is restarting.
    }
  }
}
