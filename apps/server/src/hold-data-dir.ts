import { createHash } from 'node:crypto';
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface HeldFolder {
  release(): Promise<void>;
}

/** One name of a folder that links may lead to by several, though it need not be there yet. */
function realPathOf(folder: string): string {
  const resolved = path.resolve(folder);
  if (existsSync(resolved)) return realpathSync(resolved);
  const parent = path.dirname(resolved);
  return parent === resolved ? resolved : path.join(realPathOf(parent), path.basename(resolved));
}

/** A name that the system itself frees when its process ends, however it ends; on Linux and Windows it is no file at all. */
function nameOf(dataDir: string): { readonly name: string; readonly isFile: boolean } {
  const id = createHash('sha256').update(realPathOf(dataDir)).digest('hex').slice(0, 24);
  if (process.platform === 'linux') return { name: `\0sathorn-${id}`, isFile: false };
  if (process.platform === 'win32') return { name: `\\\\.\\pipe\\sathorn-${id}`, isFile: false };
  return { name: path.join(tmpdir(), `sathorn-${id}.sock`), isFile: true };
}

function listen(name: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    // It only has to be there; it keeps nobody alive.
    server.listen(name, () => resolve(server)).unref();
  });
}

function isAnswered(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(name, () => resolve(true));
    socket.once('error', () => resolve(false)).once('close', () => socket.destroy());
  });
}

/**
 * One server a data folder: a second one would share the embedded database with the first and stop it under it. Throws when
 * another holds the folder. After a `kill -9` it is free at once.
 */
export async function holdDataDir(dataDir: string): Promise<HeldFolder> {
  const { name, isFile } = nameOf(dataDir);
  let server = await listen(name);
  if (server === null && isFile && !(await isAnswered(name))) {
    rmSync(name, { force: true });
    server = await listen(name);
  }
  if (server === null)
    throw new Error(`another server is running on ${dataDir}; stop it, or give this one its own DATA_DIR`);
  const held = server;
  return { release: () => new Promise((resolve) => held.close(() => resolve())) };
}
