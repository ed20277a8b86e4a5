import { listAccountEntries, readStatementHead as readSignedHeads } from '@sathorn/api';
import { callServer, type Failure } from '@sathorn/app/client';
import { type AccountEntry, readStatementHead, STATEMENT_FILE_TYPE, type StatementFile } from '@sathorn/proof';
import { saveFile } from '../parts/money/save-file.ts';

const PAGE = 500;

/**
 * Saves the signed heads with every entry that leads to them, for `sathorn-verify --statement`. Saves nothing if a page
 * cannot be loaded, or if the server stops before a head.
 */
export async function exportStatement(
  onProgress: (count: number) => void,
): Promise<{ ok: true; count: number } | Failure> {
  const statement = await callServer(readSignedHeads, {});
  if (!statement.ok) return statement;
  const accounts: StatementFile['accounts'][number][] = [];
  let count = 0;
  for (const { name, asset, n } of readStatementHead(statement.data.signed.body)?.accounts ?? []) {
    const entries: AccountEntry[] = [];
    while (BigInt(entries.length) < n) {
      const left = n - BigInt(entries.length);
      const answer = await callServer(listAccountEntries, {
        account: name,
        asset,
        from: String(entries.length + 1),
        limit: String(left < BigInt(PAGE) ? left : PAGE),
      });
      if (!answer.ok) return answer;
      if (answer.data.items.length === 0) throw new Error(`${name} ${asset} ends before its head`);
      entries.push(...answer.data.items);
      count += answer.data.items.length;
      onProgress(count);
    }
    accounts.push({ name, asset, entries });
  }
  const file: StatementFile = { v: STATEMENT_FILE_TYPE, ...statement.data, accounts };
  if (count > 0) saveFile(new Blob([`${JSON.stringify(file)}\n`], { type: 'application/json' }), 'statement.json');
  return { ok: true, count };
}
