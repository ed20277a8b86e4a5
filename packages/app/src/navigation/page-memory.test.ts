import { describe, expect, test } from 'vitest';
import {
  followBrowserMove,
  PAGE_MEMORY_DEPTH,
  type PageMemory,
  parsePageMemory,
  rememberPage,
  replaceQuery,
  replaceTopPage,
  stepBackInMemory,
} from './page-memory.ts';

describe('the memory of visited pages', () => {
  test('keeps the last ten pages', () => {
    const memory = Array.from({ length: 14 }, (_, index) => `/pages/${index}`).reduce<PageMemory>(rememberPage, []);
    expect(memory).toHaveLength(PAGE_MEMORY_DEPTH);
    expect(memory[0]).toBe('/pages/4');
    expect(memory.at(-1)).toBe('/pages/13');
  });

  test('changes only the query when the same page is opened again', () => {
    expect(rememberPage(['/a', '/b?x=1'], '/b?x=2')).toEqual(['/a', '/b?x=2']);
  });

  test('steps back to the last remembered page', () => {
    expect(stepBackInMemory(['/a', '/b', '/c'])).toEqual({ memory: ['/a', '/b'], address: '/b' });
    expect(stepBackInMemory(['/a'])).toBeUndefined();
    expect(stepBackInMemory([])).toBeUndefined();
  });

  test('replaces a page on a redirect', () => {
    expect(replaceTopPage(['/a', '/login'], '/b')).toEqual(['/a', '/b']);
    // Returning to the page below does not duplicate it.
    expect(replaceTopPage(['/b', '/login'], '/b')).toEqual(['/b']);
  });

  test("treats the browser's back button as a step back, and any other move as opening", () => {
    expect(followBrowserMove(['/a', '/b'], '/a')).toEqual(['/a']);
    expect(followBrowserMove(['/a', '/b'], '/c')).toEqual(['/a', '/b', '/c']);
    expect(followBrowserMove(['/a', '/b'], '/b')).toEqual(['/a', '/b']);
  });

  test.each([[null], ['nonsense'], ['{"a":1}'], ['[1,null,"http://elsewhere"]']])(
    'is empty if storage contains %s',
    (text) => {
      expect(parsePageMemory(text)).toEqual([]);
    },
  );
});

test('encodes a query and appends it', () => {
  expect(replaceQuery('/a', { code: 'BTC', empty: '', none: undefined })).toBe('/a?code=BTC');
  expect(replaceQuery('/a?x=1', { from: '/b?c=d&e' })).toBe('/a?x=1&from=%2Fb%3Fc%3Dd%26e');
});
