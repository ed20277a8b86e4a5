import type { Box, Draw } from '@sathorn/api';
import { formatMoney, money } from '@sathorn/money';
import {
  assetOfPrize,
  BEACONS,
  type BoxPrize,
  type BoxTerms,
  readBoxTerms,
  roundTimeMs,
  weightSumOf,
} from '@sathorn/proof';
import type { TransferView } from '../../ledger/index.ts';
import type { BoxRow, DrawRow } from './box-store.ts';
import { boxStateOf, signedDrawTextOf } from './draw-kind.ts';
import { drawSeedUntilMs } from './resolve-draw.ts';

const prizeText = ({ prize, amount }: Pick<BoxPrize, 'prize' | 'amount'>): string =>
  formatMoney(money(assetOfPrize(prize), amount));

export const boxTermsOf = (box: BoxRow): BoxTerms => {
  const terms = readBoxTerms(box.body);
  if (terms === undefined) throw new Error(`box ${box.id} has no terms`);
  return terms;
};
export const boxNameOf = ({ names }: Pick<BoxRow, 'names'>, language: string): string =>
  names[language] ?? names.en ?? names.th ?? '';

/** The mean prize of one draw, rounded down to the unit; points have two decimals for readers. */
function expectedOf(table: readonly BoxPrize[]): { usdt: string; points: string } {
  const sum = BigInt(weightSumOf(table));
  const mean = { USDT: 0n, POINTS: 0n };
  for (const { prize, amount, weight } of table) mean[assetOfPrize(prize)] += amount * BigInt(weight);
  const hundredths = (mean.POINTS * 100n) / sum;
  return {
    usdt: formatMoney(money('USDT', mean.USDT / sum)),
    points: `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`,
  };
}

export function viewBox(
  box: BoxRow,
  given: ReadonlyMap<number, number>,
  { language, isOffering, now }: { language: string; isOffering: boolean; now: Date },
): Box {
  const { table, beacon } = boxTermsOf(box);
  return {
    id: box.id,
    name: boxNameOf(box, language),
    state: boxStateOf(box, isOffering, now),
    price: formatMoney(box.price),
    weight_sum: weightSumOf(table),
    prizes: table.map((prize, row) => ({
      kind: prize.prize,
      amount: prizeText(prize),
      weight: prize.weight,
      given: given.get(row) ?? 0,
    })),
    draws_max: box.draws_max,
    drawn: box.drawn,
    opens_at: box.opens_at.toISOString(),
    closes_at: box.closes_at.toISOString(),
    budget: { usdt: formatMoney(box.usdt_budget), points: formatMoney(box.points_budget) },
    paid: { usdt: formatMoney(box.usdt_paid), points: formatMoney(box.points_paid) },
    expected: expectedOf(table),
    beacon,
    signed: signedDrawTextOf(box),
    published_at: box.published_at.toISOString(),
  };
}

/** The posting of the prize, among the transfers of the journal that resolved the draw. */
export const findPrizePosting = (transfers: readonly TransferView[]): TransferView | undefined =>
  transfers.find(({ kind, code }) => kind === 'post' && code === 'box_prize');

export function viewDraw(
  draw: DrawRow,
  box: BoxRow,
  path: readonly string[],
  posting: TransferView | undefined,
  language: string,
): Draw {
  const { beacon, table } = boxTermsOf(box);
  const chain = beacon === 'none' ? undefined : BEACONS[beacon];
  const { seed, number, prize, resolved_at: at } = draw;
  const won = prize === null ? undefined : table[prize];
  return {
    id: draw.id,
    box: { id: box.id, name: boxNameOf(box, language), signed: signedDrawTextOf(box) },
    i: draw.i,
    state: at === null ? 'open' : 'resolved',
    at: draw.reserved_at.toISOString(),
    reservation: signedDrawTextOf(draw),
    path: [...path],
    seed_until: new Date(drawSeedUntilMs(draw, box)).toISOString(),
    round_at: chain === undefined ? null : new Date(roundTimeMs(chain, draw.round)).toISOString(),
    client_seed: draw.client_seed,
    result:
      at === null || seed === null || number === null || prize === null || won === undefined
        ? null
        : {
            beacon: draw.beacon,
            seed,
            number: String(number),
            prize: String(prize),
            kind: won.prize,
            amount: prizeText(won),
            resolved: String(at.getTime()),
            at: at.toISOString(),
            paid: posting
              ? { asset: posting.debit.asset, units: String(posting.units), sequence: String(posting.sequence) }
              : null,
          },
  };
}
