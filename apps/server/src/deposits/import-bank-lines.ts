import { importBankLines } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { importBankLines as keepLines, LineDiffers } from './bank-lines.ts';
import { readStatement } from './bank-statement.ts';
import type { DepositRoom } from './deposit-room.ts';

export function importBankLinesHandler({ database, audit }: DepositRoom): Handler {
  return handle(importBankLines, async ({ file, operator }) => {
    const lines = file && readStatement(file.bytes.toString('utf8'));
    if (lines === null) return refuse('file_unreadable', { field: 'image' });
    try {
      const fresh = await database.transaction(async (transaction) => {
        const kept = await keepLines(transaction, lines, operator.id);
        await audit.append(transaction, {
          operator,
          what: 'bank_lines.imported',
          on: { kind: 'bank', id: 'statement' },
          after: { lines: String(lines.length), new: String(kept) },
        });
        return kept;
      });
      return accept({ lines: lines.length, new: fresh, duplicates: lines.length - fresh });
    } catch (error) {
      if (error instanceof LineDiffers)
        return refuse('bank_line_differs', { field: 'image', params: { reference: error.bankReference } });
      throw error;
    }
  });
}
