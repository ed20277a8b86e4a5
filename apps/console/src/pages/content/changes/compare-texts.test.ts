import { describe, expect, it } from 'vitest';
import { compareLines, compareTexts } from './compare-texts.ts';

const SIGNS = { same: ' ', added: '+', removed: '-' };
const shown = (before: string, after: string): string =>
  compareLines([...before], [...after])
    .map(({ mark, text }) => `${SIGNS[mark]}${text}`)
    .join('');

describe('the comparison of two texts', () => {
  it.each([
    ['nothing', 'abc', 'abc', ' a b c'],
    ['a paragraph in the middle', 'abc', 'axc', ' a-b+x c'],
    ['one added in front', 'ab', 'xab', '+x a b'],
    ['one removed at the end', 'abc', 'ab', ' a b-c'],
    ['a repeated one, once', 'aab', 'ab', ' a-a b'],
    ['two that changed places', 'abc', 'bac', '-a b+a c'],
    ['everything', 'ab', 'xy', '-a-b+x+y'],
    ['a first text', '', 'ab', '+a+b'],
  ])('%s', (_what, before, after, expected) => {
    expect(shown(before, after)).toBe(expected);
  });

  const text = { title: 'Rules', summary: '', marks: 'One.\n\n- [page](/pages/a/b)\n- two' };
  const none = { title: '', summary: '', marks: '' };
  it.each([
    ['same', text, { ...text, marks: `${text.marks}\n\n` }],
    ['same', { ...text, title: '\u2068Rules\u2069' }, text],
    ['changed', text, { ...text, marks: text.marks.replace('/pages/a/b', '/pages/a/c') }],
    ['changed', text, { ...text, title: 'Rule' }],
    ['new', none, text],
    ['gone', text, none],
    ['same', none, none],
  ])('makes a language %s', (state, before, after) => {
    expect(compareTexts(before, after).state).toBe(state);
  });

  it('marks exactly the changed item of a list', () => {
    const after = { ...text, marks: text.marks.replace('two', 'three') };
    expect(compareTexts(text, after).parts.marks.filter(({ mark }) => mark !== 'same')).toEqual([
      { mark: 'removed', text: '- two' },
      { mark: 'added', text: '- three' },
    ]);
  });
});
