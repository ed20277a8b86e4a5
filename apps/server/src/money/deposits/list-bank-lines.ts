import { listBankLines } from '@sathorn/api';
import { formatDecimal, formatMoney } from '@sathorn/money';
import { accept, refuse } from '@sathorn/settlement';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/index.ts';
import { listBankLineRows } from './bank-lines.ts';
import { findDeposit } from './deposit-store.ts';
import type { DepositsModule } from './deposits.ts';
import { matchTermsOfLines } from './match-terms.ts';

const PAGE_SIZE = 50;

export function listBankLinesHandler(module: DepositsModule): Handler[] {
  const { database } = module;
  return allowOnAnyClock(
    handle(listBankLines, async ({ request: { near: nearId, unused, page }, operator }) => {
      const deposit = nearId === undefined ? undefined : await findDeposit(database, nearId);
      if (nearId !== undefined && !deposit) return refuse('deposit_unknown', { field: 'near' });
      const near =
        deposit && deposit.baht !== null && deposit.reference !== null
          ? { baht: deposit.baht, reference: deposit.reference }
          : null;
      const number = Math.max(1, Number(page || '1'));
      const rows = await listBankLineRows(database, unused === 'true', near, PAGE_SIZE + 1, (number - 1) * PAGE_SIZE);
      const shown = rows.slice(0, PAGE_SIZE);
      const terms = near && deposit ? await matchTermsOfLines(module, deposit, shown) : [];
      return accept({
        items: shown.map((line, n) => ({
          id: line.id,
          at: line.at.toISOString(),
          amount: formatMoney(line.amount),
          payer: line.payer,
          reference: line.reference,
          bank_reference: line.bank_reference,
          used_by: line.used_by,
          source: line.source,
          is_attested: line.is_attested,
          is_twin: line.twin > 0,
          is_own: line.imported_by === operator.id,
          credits: terms[n]?.ok ? formatMoney(terms[n].effect.amount) : null,
          rate: terms[n]?.ok ? formatDecimal(terms[n].effect.rate, 6) : null,
          agrees_on: [
            ...(near?.baht.units === line.amount.units ? (['amount'] as const) : []),
            ...(near?.reference === line.reference ? (['reference'] as const) : []),
          ],
        })),
        next: rows.length > PAGE_SIZE ? String(number + 1) : null,
      });
    }),
  );
}
