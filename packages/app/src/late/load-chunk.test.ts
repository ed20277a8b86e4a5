import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadChunk } from './load-chunk.ts';

const reload = vi.hoisted(() => vi.fn());
vi.mock('./stale-chunks.ts', () => ({ reloadForStaleChunk: reload }));

describe('a chunk', () => {
  /** Files that cannot be loaded. */
  const missing = new Set<string>();
  const asked: string[] = [];
  const load = vi.fn(async () => 'the module');

  beforeEach(() => {
    vi.stubGlobal('document', { querySelector: (selector: string) => (selector.includes('/shell.js"') ? {} : null) });
    vi.stubGlobal('fetch', async (address: string) => {
      asked.push(address);
      return new Response('', { status: missing.has(address) ? 404 : 200 });
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.clearAllMocks();
    missing.clear();
    asked.length = 0;
  });

  it('is imported once all its files are loaded, each fetched once, except those already in the page', async () => {
    expect(await loadChunk(load, ['sheet.js', 'shell.js', 'panel.js'])).toBe('the module');
    expect(await loadChunk(load, ['panel.js', 'list.js'])).toBe('the module');
    expect(asked).toEqual(['/sheet.js', '/panel.js', '/list.js']);
  });

  it('is not imported if one of its files cannot be loaded, and can be requested again', async () => {
    missing.add('/chart.js');
    await expect(loadChunk(load, ['ticket.js', 'chart.js'])).rejects.toThrow('/chart.js: 404');
    expect(load).not.toHaveBeenCalled();
    expect(reload).toHaveBeenCalledTimes(1);
    missing.clear();
    expect(await loadChunk(load, ['ticket.js', 'chart.js'])).toBe('the module');
    expect(asked).toEqual(['/ticket.js', '/chart.js', '/chart.js']);
  });
});
