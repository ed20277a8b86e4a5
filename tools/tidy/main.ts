/** Checks the rules that the compiler cannot: prints each file that breaks one, and exits with 1. */
import path from 'node:path';
import { checkHandlers } from './calls.ts';
import { checkCatalogues } from './catalogues.ts';
import { checkComments } from './comments.ts';
import { checkForbidden } from './forbidden.ts';
import { checkImports } from './imports.ts';
import { checkSchemas } from './schemas.ts';
import { readTree } from './tree.ts';

const tree = readTree(path.resolve(import.meta.dirname, '../..'));
const faults = [checkImports, checkSchemas, checkForbidden, checkCatalogues, checkComments].flatMap((check) =>
  check(tree),
);
faults.push(...checkHandlers(tree));
for (const { file, says } of faults) console.error(`${file}: ${says}`);
console.log(faults.length === 0 ? `tidy: ${tree.size} files, every rule holds` : `tidy: ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
