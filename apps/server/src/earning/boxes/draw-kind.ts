import { money } from '@sathorn/money';
import {
  BEACON_ROUND_AHEAD_MS,
  BEACONS,
  type BeaconChain,
  firstRoundFrom,
  hashOfBody,
  readBoxTerms,
  type SignedText,
  writeReservation,
} from '@sathorn/proof';
import {
  accept,
  type BoxSale,
  type BoxState,
  boxState,
  decideBoxFunding,
  decideDraw,
  decidePrize,
  type PlayRefusal,
  refuse,
  unspentOf,
} from '@sathorn/settlement';
import {
  customerAccount,
  type HoldRef,
  houseAccount,
  type JournalKind,
  type LoadedKind,
  type Transfer,
} from '../../ledger/index.ts';
import type { Queries } from '../../platform/database/index.ts';
import type { Signer } from '../../platform/proofs/index.ts';
import {
  type BoxRow,
  type DrawRow,
  insertBox,
  markBudgetReturned,
  type NewBox,
  type NewDraw,
  type ResolvedDraw,
  readBoxes,
  reserveDraws,
  resolveDraws,
} from './box-store.ts';

const BOXES_USDT_ACCOUNT = houseAccount('boxes', 'USDT');
const BOXES_POINTS_ACCOUNT = houseAccount('boxes', 'POINTS');
const REWARDS_USDT = houseAccount('rewards', 'USDT');
const REWARDS_POINTS = houseAccount('rewards', 'POINTS');

const saleOf = (box: BoxRow): BoxSale => ({
  opensAt: box.opens_at,
  closesAt: box.closes_at,
  isReturned: box.is_returned,
  drawn: box.drawn,
  drawsMax: box.draws_max,
  open: box.open,
  usdt: { budget: box.usdt_budget, paid: box.usdt_paid, max: box.usdt_max },
  points: { budget: box.points_budget, paid: box.points_paid, max: box.points_max },
});
export const boxStateOf = (box: BoxRow, isOffering: boolean, now: Date): BoxState =>
  boxState(saleOf(box), isOffering, now);

export interface DrawCommand {
  readonly customer: bigint;
  readonly box: string;
}
export type DrawRefusal =
  | PlayRefusal
  | 'account_frozen'
  | 'box_unknown'
  | 'box_closed'
  | 'box_sold_out'
  | 'points_missing';

interface DrawContext {
  readonly now: Date;
  /** Boxes with the changes of this batch. */
  readonly boxes: Map<string, BoxRow>;
  readonly commitments: ReadonlyMap<string, readonly string[]>;
  readonly draws: Map<string, Omit<NewDraw, 'usdtHold' | 'pointsHold'> & { readonly holds: ('USDT' | 'POINTS')[] }>;
}

interface DrawDependencies {
  readonly signer: Signer;
  readonly isOffering: boolean;
  /** In hex, starting with draw 1. */
  readonly commitmentsOf: (queries: Queries, box: BoxRow) => Promise<readonly string[]>;
  readonly beacons?: Readonly<Record<string, BeaconChain>>;
}

/**
 * Takes the price, holds the largest prize of each asset, and reserves and signs the next number, all in one
 * transaction under the ledger's lock. So numbers have no gaps, and the last prize has one winner.
 */
export function drawKind({
  signer,
  isOffering,
  commitmentsOf,
  beacons = BEACONS,
}: DrawDependencies): LoadedKind<DrawCommand, DrawContext, { readonly id: string }, DrawRefusal> {
  return {
    name: 'boxes.draw',
    customer: ({ customer }) => customer,
    play: () => ({ stake: 0n }),
    accounts: ({ customer }) => [
      customerAccount(customer, 'POINTS'),
      BOXES_USDT_ACCOUNT,
      BOXES_POINTS_ACCOUNT,
      REWARDS_POINTS,
    ],

    async load(transaction, commands, turn) {
      const [boxes, { now }] = await Promise.all([
        readBoxes(
          transaction,
          commands.map(({ box }) => box),
        ),
        turn,
      ]);
      const commitments = await Promise.all(
        [...boxes.values()].map(async (box) => [box.id, await commitmentsOf(transaction, box)] as const),
      );
      return { now, boxes, commitments: new Map(commitments), draws: new Map() };
    },

    decide({ customer, box: id }, funds, { context: { now, boxes, commitments, draws }, intent }) {
      const box = boxes.get(id);
      const terms = box && readBoxTerms(box.body);
      if (box === undefined || terms === undefined) return refuse('box_unknown', { field: 'id' });
      const points = customerAccount(customer, 'POINTS');
      const decided = decideDraw({
        state: boxStateOf(box, isOffering, now),
        price: box.price,
        available: money('POINTS', funds.available(points)),
      });
      if (!decided.ok) return decided;

      const i = box.drawn + 1;
      const commitment = commitments.get(id)?.[i - 1];
      if (commitment === undefined) throw new Error(`draw ${i} of box ${id} was not promised`);
      const chain = terms.beacon === 'none' ? undefined : beacons[terms.beacon];
      const reservedMs = now.getTime();
      const round = chain === undefined ? 0 : firstRoundFrom(chain, reservedMs + BEACON_ROUND_AHEAD_MS);
      const signed = signer.sign(
        writeReservation({
          order: intent.id,
          box: id,
          boxHash: box.hash,
          i,
          commitment,
          round,
          reservedMs,
        }),
      );
      const transfers: Transfer[] = [
        { kind: 'single', debit: points, credit: REWARDS_POINTS, units: box.price.units, code: 'box_price' },
      ];
      const holds: ('USDT' | 'POINTS')[] = [];
      for (const { asset, units } of [box.usdt_max, box.points_max]) {
        if (units === 0n) continue;
        holds.push(asset);
        transfers.push({
          kind: 'hold',
          debit: houseAccount('boxes', asset),
          credit: customerAccount(customer, asset),
          units,
          code: 'box_prize',
        });
      }
      boxes.set(id, { ...box, drawn: i, open: box.open + 1 });
      draws.set(intent.id, { id: intent.id, box: id, i, customer, round, signed, holds });
      return accept({ transfers, answer: { id: intent.id } });
    },

    write(transaction, { accepted, context: { now, draws } }) {
      if (accepted.length === 0) return [];
      const rows = accepted.map(({ intent, sequences }): NewDraw => {
        const draw = draws.get(intent.id);
        if (draw === undefined) throw new Error('a draw was lost');
        const holdOf = (asset: 'USDT' | 'POINTS'): bigint | null =>
          draw.holds.includes(asset) ? (sequences[1 + draw.holds.indexOf(asset)] ?? null) : null;
        return { ...draw, usdtHold: holdOf('USDT'), pointsHold: holdOf('POINTS') };
      });
      return [reserveDraws(transaction, now, rows)];
    },
  };
}

interface ResolveDrawCommand {
  readonly draw: DrawRow;
  readonly box: BoxRow;
  readonly at: Date;
  readonly beacon: string | null;
  readonly seed: string;
  readonly number: number;
  readonly prize: number;
  readonly won: { readonly prize: 'usdt' | 'points'; readonly amount: bigint };
}

/**
 * Pays the prize from the held amount, returns the rest to the box, and reveals the seed. Pays frozen customers too.
 */
export const resolveDrawKind: JournalKind<ResolveDrawCommand, null, never> = {
  name: 'boxes.resolve',
  customer: () => null,
  accounts: ({ draw: { customer_id: owner } }) => [
    BOXES_USDT_ACCOUNT,
    BOXES_POINTS_ACCOUNT,
    customerAccount(owner, 'USDT'),
    customerAccount(owner, 'POINTS'),
  ],
  decide({ draw, box, won }) {
    const prize = money(won.prize === 'points' ? 'POINTS' : 'USDT', won.amount);
    const transfers: Transfer[] = [];
    for (const [sequence, max] of [
      [draw.usdt_hold, box.usdt_max],
      [draw.points_hold, box.points_max],
    ] as const) {
      if (sequence === null) continue;
      const hold: HoldRef = {
        sequence,
        debit: houseAccount('boxes', max.asset),
        credit: customerAccount(draw.customer_id, max.asset),
        units: max.units,
      };
      const paid = decidePrize(max, prize);
      transfers.push(
        paid ? { kind: 'post', hold, units: paid.units, code: 'box_prize' } : { kind: 'void', hold, code: 'box_prize' },
      );
    }
    return accept({ transfers, answer: null });
  },
  write(transaction, { accepted }) {
    const [first] = accepted;
    if (first === undefined) return [];
    const rows = accepted.map(
      ({ command: { draw, beacon, seed, number, prize, won }, intent }): ResolvedDraw => ({
        id: draw.id,
        journal: intent.id,
        clientSeed: draw.client_seed,
        beacon,
        seed,
        number,
        prize,
        usdt: money('USDT', won.prize === 'points' ? 0n : won.amount),
        points: money('POINTS', won.prize === 'points' ? won.amount : 0n),
      }),
    );
    return [resolveDraws(transaction, first.command.at, rows)];
  },
};

/** Reserves the whole budget and publishes the box, in one transaction. */
export const fundBoxKind: JournalKind<NewBox, null, 'not_funded'> = {
  name: 'boxes.fund',
  customer: () => null,
  accounts: () => [REWARDS_USDT, REWARDS_POINTS, BOXES_USDT_ACCOUNT, BOXES_POINTS_ACCOUNT],
  decide({ usdt_budget: usdt, points_budget: points }, funds) {
    const decided = decideBoxFunding(
      { usdt, points },
      {
        usdt: money('USDT', funds.available(REWARDS_USDT)),
        points: money('POINTS', funds.available(REWARDS_POINTS)),
      },
    );
    if (!decided.ok) return decided;
    const transfers: Transfer[] = [];
    for (const [debit, credit, { units }] of [
      [REWARDS_USDT, BOXES_USDT_ACCOUNT, usdt],
      [REWARDS_POINTS, BOXES_POINTS_ACCOUNT, points],
    ] as const)
      if (units > 0n) transfers.push({ kind: 'single', debit, credit, units, code: 'box_funded' });
    return accept({ transfers, answer: null });
  },
  write: (transaction, { accepted }) =>
    accepted.flatMap(({ command, intent }) => insertBox(transaction, command, intent.id)),
};

/** Returns the unspent budget of an ended box to the account that funded it. */
export const returnBudgetKind: JournalKind<BoxRow, null, never> = {
  name: 'boxes.return',
  customer: () => null,
  accounts: () => [REWARDS_USDT, REWARDS_POINTS, BOXES_USDT_ACCOUNT, BOXES_POINTS_ACCOUNT],
  decide(box) {
    const transfers: Transfer[] = [];
    const sale = saleOf(box);
    for (const [debit, credit, { units }] of [
      [BOXES_USDT_ACCOUNT, REWARDS_USDT, unspentOf(sale.usdt)],
      [BOXES_POINTS_ACCOUNT, REWARDS_POINTS, unspentOf(sale.points)],
    ] as const)
      if (units > 0n) transfers.push({ kind: 'single', debit, credit, units, code: 'box_returned' });
    return accept({ transfers, answer: null });
  },
  write: (transaction, { accepted }) =>
    accepted.map(({ command, intent }) => markBudgetReturned(transaction, command.id, intent.id)),
};

export const signedDrawTextOf = ({
  body,
  signature,
  key,
}: Pick<DrawRow, 'body' | 'signature' | 'key'>): SignedText => ({
  body,
  hash: hashOfBody(body),
  signature,
  key,
});
