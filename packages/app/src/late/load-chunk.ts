import { reloadForStaleChunk } from './stale-chunks.ts';

/** Loaded files and pending loads, by address. */
const files = new Map<string, Promise<unknown>>();

/**
 * Loads a chunk; replaces Vite's own helper. `paths` are the chunk's file and everything that it imports, including
 * style sheets.
 *
 * A browser that failed to load a module's file never requests it again, whichever module imports it. So the files are
 * fetched first, and a chunk is imported only when all are available.
 */
export async function loadChunk<Module>(load: () => Promise<Module>, paths: readonly string[] = []): Promise<Module> {
  try {
    await Promise.all(paths.map(have));
    return await load();
  } catch (error) {
    reloadForStaleChunk();
    throw error;
  }
}

function have(path: string): Promise<unknown> {
  // The base ends with a slash, because an app may be served below a path.
  const address = `${import.meta.env.BASE_URL}${path}`;
  let file = files.get(address);
  if (file === undefined) {
    file = isInPage(address) ? Promise.resolve() : path.endsWith('.css') ? applyStyles(address) : fetchWhole(address);
    files.set(address, file);
    file.catch(() => files.delete(address));
  }
  return file;
}

const isInPage = (address: string): boolean =>
  document.querySelector(`script[src="${address}"], link[rel=stylesheet][href="${address}"]`) !== null;

/** Puts the file into the browser's cache, from which the import takes it. */
async function fetchWhole(address: string): Promise<void> {
  const response = await fetch(address, { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  await response.arrayBuffer();
}

function applyStyles(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href });
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`${href} could not be had`));
    };
    document.head.append(link);
  });
}
