import { type KeptItem, listKeptTexts } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import { accept, decideKept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { correctionNumberText } from './correction-words.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { type KeptRow, keptNumberText, listKeptRows, readBookedOption } from './kept-store.ts';

const PAGE = 30;

async function itemOf(module: CorrectionsDependencies, row: KeptRow): Promise<KeptItem> {
  const booked = await readBookedOption(module, row);
  const worth = decideKept(row, booked);
  const { terms, correction, correction_number: number } = row;
  return {
    case: { id: row.case_id, number: keptNumberText(row.number) },
    hash: row.hash,
    key: row.key_id,
    order: row.order_id,
    accepted_at: new Date(terms.acceptedMs).toISOString(),
    coin: terms.coin,
    direction: terms.direction,
    stake: formatMoney(row.stake),
    ended: row.ended,
    booked: booked?.status ?? 'unknown',
    amount: worth.ok ? formatMoney(worth.effect) : null,
    why_not: worth.ok ? null : worth.refusal,
    correction:
      correction !== null && number !== null ? { id: correction, number: correctionNumberText(number) } : null,
    taken_at: row.taken_at.toISOString(),
  };
}

export function listKeptTextsHandler(module: CorrectionsDependencies): Handler {
  return handle(listKeptTexts, async ({ request: { customer, page } }) => {
    const skip = Number(page ?? 0);
    const rows = await listKeptRows(module.database, customer, PAGE + 1, skip);
    return accept({
      items: await Promise.all(rows.slice(0, PAGE).map((row) => itemOf(module, row))),
      next: rows.length > PAGE ? String(skip + PAGE) : null,
    });
  });
}
