import type { Fault, Tree } from './tree.ts';
import { roomOf } from './wings.ts';

/** Exceptions: a whole room, or one table of a room, that another room may read. */
const MEANT = new Set([
  // The checker reads all tables, with its own database role.
  'checker',
  // A backup compares a copy's chains with the original's.
  'backup market.head',
  'backup ledger.head',
  'backup ledger.transfer',
  'backup proofs.restoration',
  // Demo or live is decided before any room opens.
  'database ledger.declare_mode',
]);

const TEST = /\.test\.ts$|testing[-.]/;

/** A room's tables are read and written only by that room's SQL. */
export function checkSchemas(tree: Tree): Fault[] {
  const migrations = [...tree].filter(([file]) => file.startsWith('apps/server/migrations/'));
  const schemas = migrations.flatMap(([, sql]) => [...sql.matchAll(/CREATE SCHEMA (\w+)/gi)].map(([, name]) => name));
  const named = new RegExp(
    `\\b(?:from|join|into|update|table|select|call|perform|only)\\s+((${schemas.join('|')})\\.[a-z_]+)`,
    'gi',
  );
  const faults: Fault[] = [];
  for (const [file, text] of tree) {
    const room = roomOf(file);
    if (room === null || TEST.test(file) || MEANT.has(room)) continue;
    const foreign = [...text.matchAll(named)].filter(([, , schema]) => schema !== room).map(([, name = '']) => name);
    for (const name of new Set(foreign))
      if (!MEANT.has(`${room} ${name}`))
        faults.push({ file, says: `the room ${room} uses SQL on a table of another room: ${name}` });
  }
  return faults;
}
