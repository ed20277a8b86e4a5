import type { SourceTree, TidyFault } from './tree.ts';

/** The same limit as for code. */
const COLUMNS_MAX = 120;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|\{\/\*)/;
/** A comment for a tool must stay on one line. */
const FOR_A_TOOL = /biome-ignore|oxlint-|@ts-|https?:\/\/\S{60}/;

/** Finds comments wider than the limit for code, because the formatter does not wrap comments. */
export function checkComments(tree: SourceTree): TidyFault[] {
  const faults: TidyFault[] = [];
  for (const [file, text] of tree) {
    if (!/\.(?:ts|tsx|mjs|js|css)$/.test(file)) continue;
    const nth = text
      .split('\n')
      .findIndex((line) => [...line].length > COLUMNS_MAX && COMMENT.test(line) && !FOR_A_TOOL.test(line));
    if (nth >= 0) faults.push({ file, says: `line ${nth + 1}: a comment of more than ${COLUMNS_MAX} columns` });
  }
  return faults;
}
