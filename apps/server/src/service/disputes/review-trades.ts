import { formatPrice, type Price } from '@sathorn/money';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { markFaultReported, TRADE_CASES, type TradeDisputeRow, type TradeFinding } from './case-store.ts';
import { openDisputeReview } from './dispute-review.ts';
import type { DisputesDependencies } from './disputes.ts';
import { type OptionReplay, replayOption } from './replay-option.ts';

export const DISPUTE_ANSWER_APPROVAL = 'dispute_answer';
/** Source prices have more decimals than the index. */
const SOURCE_DECIMALS = 6;
/** Formats the price of a source in the signed tick. */
const priceText = (price: OptionReplay['sources'][number]['price']): string =>
  formatPrice(price as Price, SOURCE_DECIMALS);

/** Disputes about settled options. The finding is computed from the stored ticks, so nobody can choose it. */
export function openTradeReview(module: DisputesDependencies) {
  const { options, audit } = module;
  const replayOf = async (row: TradeDisputeRow) => {
    const evidence = await options.evidence(row.customer, row.order_id);
    if (!evidence) throw new Error(`dispute ${row.id} is about no settled order`);
    return { evidence, replay: await replayOption(evidence, await module.keys()) };
  };
  const review = openDisputeReview(module, {
    kind: 'dispute',
    approvalKind: DISPUTE_ANSWER_APPROVAL,
    cases: TRADE_CASES,
    title: async (row) => ({ order: row.order_id }),
    async evidence(row) {
      const { evidence, replay } = await replayOf(row);
      const { order, ticks } = evidence;
      const { fault_by: by, fault_at: at } = row;
      return {
        option: order,
        ticks: ticks.map(({ at: ms, price, sequence }) => ({ at: new Date(ms).toISOString(), price, sequence })),
        sources: replay.sources.map(({ name, price }) => ({ name, price: priceText(price) })),
        checks: replay.checks.map((check) => ({ ...check })),
        replay: { finding: replay.finding, computed: replay.computed },
        fault:
          by !== null && at !== null
            ? { by: { id: String(by), work_name: await module.staffName(by) }, at: at.toISOString() }
            : null,
      };
    },
    own: async () => ({}),
    async decide(
      row,
      { finding }: { readonly finding: TradeFinding },
    ): Promise<Decision<{ finding: TradeFinding; correction: null }, 'finding_disagrees_with_replay'>> {
      const { replay } = await replayOf(row);
      return replay.finding === finding
        ? accept({ finding, correction: null })
        : refuse('finding_disagrees_with_replay', { field: 'finding' });
    },
    // Replays again, because the stored data may have been repaired or damaged since the proposal.
    holds: async (_transaction, row, agreed) => (await replayOf(row)).replay.finding === agreed.finding,
    closed: (transaction, row, approval) =>
      options.closeDispute(transaction, row.id, row.finding === 'fault_confirmed', approval),
  });
  return {
    ...review,

    /** Opens a public incident and stops the sale of options at once; one person suffices. */
    async report(
      operator: OperatorSession,
      wanted: { readonly id: string; readonly version: number; readonly text: string },
      now: Date,
    ) {
      const { id, text } = wanted;
      const known = await review.cases.find(module.database, id);
      if (!known) return refuse('dispute_unknown', { field: 'id' });
      const { replay } = await replayOf(known);
      if (replay.finding !== 'fault_confirmed') return refuse('finding_disagrees_with_replay');
      if (known.fault_by !== null) return refuse('already_reported');
      return review.change(wanted, async (transaction, row): Promise<Decision<null, 'already_reported'>> => {
        await markFaultReported(transaction, id, operator.id, now);
        await module.onFaultConfirmed(transaction, { dispute: id, order: row.order_id, operator, text });
        await audit.append(transaction, {
          operator,
          what: 'dispute.fault_reported',
          on: { kind: 'dispute', id },
          customer: row.customer,
          note: text,
        });
        return accept(null);
      });
    },
  };
}
export type TradeReview = ReturnType<typeof openTradeReview>;
