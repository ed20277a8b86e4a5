import { expect, it } from 'vitest';
import { decideSuitability, type SuitabilityAnswers } from './decide-suitability.ts';

const BEST: SuitabilityAnswers = { knowledge: 'a', experience: 'a', need: 'a', share: 'a' };
it.each<[string, Partial<SuitabilityAnswers>, string[]]>([
  ['knows the risk and can bear it', {}, []],
  ['is new to it', { experience: 'c' }, []],
  ['needs a part of the money later', { need: 'b', share: 'b' }, []],
  ['does not know what can be lost', { knowledge: 'b' }, ['knowledge']],
  ['needs the money soon', { need: 'c' }, ['need']],
  ['would put much of the savings in, and knows little', { knowledge: 'c', share: 'c' }, ['knowledge', 'share']],
])('somebody who %s', (_who, change, against) => {
  expect(decideSuitability({ ...BEST, ...change })).toEqual({
    finding: against.length === 0 ? 'suitable' : 'unsuitable',
    against,
  });
});
