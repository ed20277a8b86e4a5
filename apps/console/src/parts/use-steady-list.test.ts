import { describe, expect, it } from 'vitest';
import { keepShownOrder } from './use-steady-list.ts';

describe('a list under the pointer keeps its rows in place', () => {
  it.each([
    ['shows everything at first', [], ['a', 'b'], ['a', 'b'], []],
    ['keeps its order when the server returns another one', ['a', 'b', 'c'], ['c', 'a', 'b'], ['a', 'b', 'c'], []],
    ['lets new rows wait, wherever they belong', ['a', 'b'], ['n', 'a', 'm', 'b'], ['a', 'b'], ['n', 'm']],
    ['drops what is gone', ['a', 'b', 'c'], ['a', 'c'], ['a', 'c'], []],
    ['starts over when no shown row is left', ['a'], ['n'], ['n'], []],
  ])('%s', (_what, shown, given, kept, fresh) => {
    expect(keepShownOrder(shown, given)).toEqual({ kept, fresh });
  });
});
