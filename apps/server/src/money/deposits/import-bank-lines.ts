import { importBankLines } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { importBankStatement, StatementRefusedError } from './bank-lines.ts';
import { readBankStatement } from './bank-statement.ts';
import type { DepositsModule } from './deposits.ts';

export function importBankLinesHandler({ database, audit, banks, timeZone }: DepositsModule): Handler {
  return handle(importBankLines, async ({ file, operator, now }) => {
    const read = file && readBankStatement(file.bytes, now, timeZone);
    if (read === null) return refuse('file_unreadable', { field: 'image' });
    if (!read.ok) return read;
    const given = read.effect;
    await banks.refresh();
    if (!banks.isOurs(given.account))
      return refuse('bank_account_unknown', { field: 'image', params: { account: given.account } });
    try {
      const { id, fresh, twins } = await database.transaction(async (transaction) => {
        const imported = await importBankStatement(transaction, given, { kind: 'upload', by: operator.id });
        await audit.append(transaction, {
          operator,
          what: 'bank_lines.imported',
          on: { kind: 'bank', id: imported.id },
          after: {
            account: given.account,
            lines: String(given.lines.length),
            new: String(imported.fresh),
            twins: imported.twins.map(({ bankReference }) => bankReference),
            opening: String(given.opening.units),
            closing: String(given.closing.units),
          },
        });
        return imported;
      });
      const lines = given.lines.length;
      return accept({
        statement: id,
        lines,
        new: fresh,
        duplicates: lines - fresh + given.repeated,
        twins: twins.map(({ row: line, bankReference }) => ({ line, bank_reference: bankReference })),
      });
    } catch (error) {
      if (error instanceof StatementRefusedError)
        return refuse(error.refusal, { field: 'image', params: error.params });
      throw error;
    }
  });
}
