import type { Fault, Tree } from './tree.ts';

/** Columns, as code. */
const COLUMNS_MAX = 120;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|\{\/\*)/;
/** A tool reads it as one line. */
const FOR_A_TOOL = /biome-ignore|oxlint-|@ts-|https?:\/\/\S{60}/;

/**
 * A comment of more columns is read by scrolling: the formatter leaves comments as they are, so this looks after them.
 */
export function checkComments(tree: Tree): Fault[] {
  const faults: Fault[] = [];
  for (const [file, text] of tree) {
    if (!/\.(?:ts|tsx|mjs|js|css)$/.test(file)) continue;
    const nth = text
      .split('\n')
      .findIndex((line) => [...line].length > COLUMNS_MAX && COMMENT.test(line) && !FOR_A_TOOL.test(line));
    if (nth >= 0) faults.push({ file, says: `line ${nth + 1}: a comment of more than ${COLUMNS_MAX} columns` });
  }
  return faults;
}
