import type { SourceTree, TidyFault } from './tree.ts';
import { moduleFolderOf } from './wings.ts';

/** Exceptions: a whole module, or one table of a module, that another module may read. */
const MEANT = new Set([
  // The checker reads all tables, with its own database role.
  'checker',
  // A backup compares a copy's chains with the original's.
  'backup market.head',
  'backup ledger.head',
  'backup ledger.transfer',
  'backup proofs.restoration',
  // The start decides between demo and live before any module opens.
  'database ledger.declare_mode',
]);

const TEST = /\.test\.ts$|testing[-.]/;

/** Finds SQL that reads or writes another module's tables. */
export function checkSchemas(tree: SourceTree): TidyFault[] {
  const migrations = [...tree].filter(([file]) => file.startsWith('apps/server/migrations/'));
  const schemas = migrations.flatMap(([, sql]) => [...sql.matchAll(/CREATE SCHEMA (\w+)/gi)].map(([, name]) => name));
  const named = new RegExp(
    `\\b(?:from|join|into|update|table|select|call|perform|only)\\s+((${schemas.join('|')})\\.[a-z_]+)`,
    'gi',
  );
  const faults: TidyFault[] = [];
  for (const [file, text] of tree) {
    const room = moduleFolderOf(file);
    if (room === null || TEST.test(file) || MEANT.has(room)) continue;
    const foreign = [...text.matchAll(named)].filter(([, , schema]) => schema !== room).map(([, name = '']) => name);
    for (const name of new Set(foreign))
      if (!MEANT.has(`${room} ${name}`))
        faults.push({ file, says: `the room ${room} uses SQL on a table of another room: ${name}` });
  }
  return faults;
}
