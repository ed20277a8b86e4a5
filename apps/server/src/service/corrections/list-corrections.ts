import { listCorrections } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { closeEndedCorrections, countCorrections, listCorrectionRows, sumCorrections } from './correction-store.ts';
import { viewCorrectionItem } from './correction-view.ts';
import type { CorrectionsDependencies } from './corrections.ts';

const PAGE = 30;
const SUMMED_MS = 90 * 86_400_000;

export function listCorrectionsHandler(module: CorrectionsDependencies): Handler {
  const { database } = module;
  return handle(listCorrections, async ({ request: { tab = 'waiting', page }, now }) => {
    await closeEndedCorrections(database);
    const after = page ? BigInt(page) || null : null;
    const [rows, counts, sums] = await Promise.all([
      listCorrectionRows(database, tab, after, PAGE + 1),
      countCorrections(database),
      sumCorrections(database, new Date(now.getTime() - SUMMED_MS)),
    ]);
    const shown = rows.slice(0, PAGE);
    return accept({
      items: await Promise.all(shown.map((row) => viewCorrectionItem(module, row))),
      next: rows.length > PAGE ? String(shown.at(-1)?.number) : null,
      counts: { waiting: counts.waiting, announced: counts.announced },
      sums: sums.map(({ kind, count, amount }) => ({
        kind,
        asset: amount.asset,
        count,
        amount: formatMoney(amount),
      })),
    });
  });
}
