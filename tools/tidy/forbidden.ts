import type { SourceTree, TidyFault } from './tree.ts';

/**
 * No field, call, table or screen may set an order's outcome, a customer's win rate or a price, or invent a winner. So
 * these names may not appear in declarations. Comments may use them to say that they do not exist.
 */
const FORBIDDEN =
  /\b(\w*outcome\w*|win_?rate\w*|win_?probability|win_?control|\w*price_?override\w*|override_?price|set_?price|forced?_(?:win|loss|result|price)|force(?:Win|Loss|Result|Price)|control_?(?:win|result|price)|fake_?\w+|risk_?control_?(?:win|loss)|must_?(?:win|lose)|kill_?rate)\b/i;

const stripSqlComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/--.*$/gm, '');
const stripComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

export function checkForbidden(tree: SourceTree): TidyFault[] {
  const faults: TidyFault[] = [];
  for (const [file, text] of tree) {
    const declares = file.startsWith('apps/server/migrations/')
      ? stripSqlComments(text)
      : /^packages\/api\/src\/(?!.*\.test\.ts$)/.test(file)
        ? stripComments(text)
        : /\/src\/(screens|paths)\.ts$/.test(file)
          ? stripComments(text)
          : null;
    const found = declares && FORBIDDEN.exec(declares);
    if (found) faults.push({ file, says: `declares “${found[0]}”: nobody sets a price or how an order ends` });
  }
  return faults;
}
