import type { Fault, Tree } from './tree.ts';

/** Rooms that may read the tables of others: either `room`, or one table of one room. */
const MEANT = new Set([
  // It judges what all others have written, with SQL and a role of its own.
  'checker',
  // It compares the chains of a copy with those of the original.
  'backup market.head',
  'backup ledger.head',
  'backup ledger.transfer',
  'backup proofs.restoration',
  // Demo or live is settled before any room opens.
  'database ledger.declare_mode',
]);

const FILE = /^apps\/server\/src\/([^/]+)\/(?!.*(?:\.test\.ts$|\/?testing[-.]))/;

/** Only a room speaks SQL to the tables of its own schema. */
export function checkSchemas(tree: Tree): Fault[] {
  const migrations = [...tree].filter(([file]) => file.startsWith('apps/server/migrations/'));
  const schemas = migrations.flatMap(([, sql]) => [...sql.matchAll(/CREATE SCHEMA (\w+)/gi)].map(([, name]) => name));
  const named = new RegExp(
    `\\b(?:from|join|into|update|table|select|call|perform|only)\\s+((${schemas.join('|')})\\.[a-z_]+)`,
    'gi',
  );
  const faults: Fault[] = [];
  for (const [file, text] of tree) {
    const room = FILE.exec(file)?.[1];
    if (room === undefined || MEANT.has(room)) continue;
    const foreign = [...text.matchAll(named)].filter(([, , schema]) => schema !== room).map(([, name = '']) => name);
    for (const name of new Set(foreign))
      if (!MEANT.has(`${room} ${name}`)) faults.push({ file, says: `the room ${room} speaks SQL to ${name}` });
  }
  return faults;
}
