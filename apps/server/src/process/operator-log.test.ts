import { expect, it } from 'vitest';
import { openLog } from '../platform/log.ts';
import { openSentenceStream } from './operator-log.ts';

it('writes a sentence with time and level for a person, and no stack', () => {
  const lines: string[] = [];
  const log = openLog(
    'sathorn',
    'warn',
    openSentenceStream(false, (line) => lines.push(line)),
  );
  log.error(
    { err: new Error('alarm: the index published 3 s late'), where: 'index' },
    'alarm: the index published 3 s late',
  );
  log.error({ reason: 'database unavailable', count: 7, where: '' }, 'a fault, repeated');
  expect(lines).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d error alarm: the index published 3 s late {2}\[index\]\n$/),
    expect.stringMatching(/^\d\d:\d\d:\d\d error a fault, repeated: database unavailable \(7 times\)\n$/),
  ]);
});
