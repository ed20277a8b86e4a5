/** The visited pages, oldest first, each with its query. */
export type PageMemory = readonly string[];

/** The specification's limit. */
export const PAGE_MEMORY_DEPTH = 10;

const pathOf = (address: string): string => address.split('?')[0] ?? '';

/** Adds a page on top. Opening the page that is already on top changes only its query. */
export function rememberPage(memory: PageMemory, address: string): PageMemory {
  const top = memory.at(-1);
  const kept = top !== undefined && pathOf(top) === pathOf(address) ? memory.slice(0, -1) : memory;
  return [...kept, address].slice(-PAGE_MEMORY_DEPTH);
}

/** Replaces the page on top. */
export function replaceTopPage(memory: PageMemory, address: string): PageMemory {
  return rememberPage(memory.slice(0, -1), address);
}

/** Removes the page on top; returns the page below it and the new memory. Undefined if there is no page below. */
export function stepBackInMemory(memory: PageMemory): { memory: PageMemory; address: string } | undefined {
  const under = memory.slice(0, -1);
  const address = under.at(-1);
  return address === undefined ? undefined : { memory: under, address };
}

/** Follows a move by the browser's own buttons: one step back, or any other move, which counts as opening a page. */
export function followBrowserMove(memory: PageMemory, address: string): PageMemory {
  if (memory.at(-1) === address) return memory;
  return memory.at(-2) === address ? memory.slice(0, -1) : rememberPage(memory, address);
}

/**
 * Adds a query to an address, whose own query is kept. Undefined and empty values are omitted; values are
 * percent-encoded.
 */
export function replaceQuery(
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

/** Local storage may contain anything; a value that is not a list of our addresses is ignored. */
export function parsePageMemory(text: string | null): PageMemory {
  if (!text) return [];
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return [];
    return parsed
      .filter((entry): entry is string => typeof entry === 'string' && entry.startsWith('/'))
      .slice(-PAGE_MEMORY_DEPTH);
  } catch {
    return [];
  }
}
