import { expect, test } from 'vitest';
import { parseViews, saveView, withoutView } from './saved-views.ts';

const view = (name: string, q = name) => ({ page: 'customers', name, filter: { q } });

test('saves one view per name, and removes it', () => {
  const two = [view('a'), view('b')];
  expect(saveView(two, view('a', 'new'))).toEqual([view('b'), view('a', 'new')]);
  expect(saveView(two, { ...view('a'), page: 'audit' })).toHaveLength(3);
  expect(withoutView(two, view('a'))).toEqual([view('b')]);
});

test('keeps at most fifty views and drops the oldest', () => {
  const many = Array.from({ length: 50 }, (_, place) => view(String(place)));
  expect(saveView(many, view('new'))).toEqual([...many.slice(1), view('new')]);
});

test('ignores stored values that are not views', () => {
  expect(parseViews(null)).toEqual({});
  expect(
    parseViews({ op1: [view('a'), 7, null, { page: 'x' }, { ...view('b'), filter: { q: 1 } }], op2: 'x' }),
  ).toEqual({
    op1: [view('a')],
    op2: [],
  });
});
