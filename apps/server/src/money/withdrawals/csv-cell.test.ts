import { expect, test } from 'vitest';
import { csvCell } from './csv-cell.ts';

test.each([
  ['Nicha Phromsiri', '"Nicha Phromsiri"'],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['-1+1|cmd', '"\'-1+1|cmd"'],
  ['+66', '"\'+66"'],
  ['@SUM(1)', '"\'@SUM(1)"'],
  ['\t=1', '"\' =1"'],
  ['＝1', '"\'＝1"'],
  ['a\r\n=1', '"a  =1"'],
])('the cell %j is written as %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});
