import { expect, test } from 'vitest';
import { agoText } from './duration.ts';

test('an age uses the largest whole unit', () => {
  const presentation = { language: 'en' } as const;
  expect([-5, 0, 59.9, 60, 2_400, 3_599, 3_600, 86_399, 86_400, 200_000].map((s) => agoText(s, presentation))).toEqual([
    'now',
    'now',
    '59 sec. ago',
    '1 min. ago',
    '40 min. ago',
    '59 min. ago',
    '1 hr. ago',
    '23 hr. ago',
    'yesterday',
    '2 days ago',
  ]);
});
