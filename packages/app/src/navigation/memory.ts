/** The pages that were visited, oldest first, each with its query. */
export type Memory = readonly string[];

/** The specification's depth. */
export const MEMORY_DEPTH = 10;

const pathOf = (address: string): string => address.split('?')[0] ?? '';

/** A page is opened on top; opening the page that is already on top changes only its query. */
export function remember(memory: Memory, address: string): Memory {
  const top = memory.at(-1);
  const kept = top !== undefined && pathOf(top) === pathOf(address) ? memory.slice(0, -1) : memory;
  return [...kept, address].slice(-MEMORY_DEPTH);
}

/** The page on top gives its place to another. */
export function replaceTop(memory: Memory, address: string): Memory {
  return remember(memory.slice(0, -1), address);
}

/** Leaves the page on top: what is under it, and the memory then. Undefined when nothing is under it. */
export function stepBack(memory: Memory): { memory: Memory; address: string } | undefined {
  const under = memory.slice(0, -1);
  const address = under.at(-1);
  return address === undefined ? undefined : { memory: under, address };
}

/** Follows the browser's own buttons: one step back, or any other move, which counts as opening. */
export function followBrowser(memory: Memory, address: string): Memory {
  if (memory.at(-1) === address) return memory;
  return memory.at(-2) === address ? memory.slice(0, -1) : remember(memory, address);
}

/** Undefined and empty values are left out; values are percent-encoded. A query that the address has is kept. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  const pairs = Object.entries(query)
    .filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined && entry[1] !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

export function queryOf(address: string): URLSearchParams {
  return new URLSearchParams(address.split('?').slice(1).join('?'));
}

/** Local storage may hold anything; a value that is not a list of our addresses is ignored. */
export function parseMemory(text: string | null): Memory {
  if (!text) return [];
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return [];
    return parsed
      .filter((entry): entry is string => typeof entry === 'string' && entry.startsWith('/'))
      .slice(-MEMORY_DEPTH);
  } catch {
    return [];
  }
}
