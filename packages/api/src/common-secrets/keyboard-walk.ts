/** Sequences that people type: the alphabet, digits, rows and columns of keyboards and of the number pad. */
const LINES = [
  'abcdefghijklmnopqrstuvwxyzabc 01234567890123456789 qwertyuiop asdfghjkl zxcvbnm',
  // German and French keyboards.
  'qwertzuiop yxcvbnm azertyuiop qsdfghjklm wxcvbn',
  '1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm 8ik 9ol 0p zse4 xdr5 cft6 vgy7 bhu8 nji9 mko0',
  '147 258 369 159 357 1470 2580 02468 13579',
].flatMap((lines) => lines.split(' '));
const RUN_MIN = 3;

const allLines = LINES.flatMap((line) => [line, Array.from(line).reverse().join('')]);
const isRun = (text: string): boolean => new Set(text).size === 1 || allLines.some((line) => line.includes(text));

/** True if the whole text consists of such sequences, or of one repeated character, each at least three long. */
export function isKeyboardWalk(text: string): boolean {
  if (text.length < RUN_MIN) return false;
  // `reachable[i]` is true if the first i characters consist of such sequences.
  const reachable = [true];
  for (let end = 1; end <= text.length; end += 1) {
    reachable[end] = false;
    for (let start = end - RUN_MIN; start >= 0; start -= 1) {
      if (reachable[start] && isRun(text.slice(start, end))) reachable[end] = true;
    }
  }
  return reachable[text.length] === true;
}
