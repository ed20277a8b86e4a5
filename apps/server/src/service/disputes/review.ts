import type { DisputeCase, DisputeItem } from '@sathorn/api';
import { formatPrice, type Price } from '@sathorn/money';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ApprovalKind } from '../../staff/operators/index.ts';
import { faultOfStaffText } from '../../staff/staff-text.ts';
import {
  closeDispute,
  type DisputeRow,
  type Finding,
  findDispute,
  lockDispute,
  noteFault,
  proposeOn,
} from './dispute-store.ts';
import type { DisputesDependencies } from './disputes.ts';
import { type Replay, replayOption } from './replay.ts';

export const ANSWER_KIND = 'dispute_answer';
/** The internal time limit for both reviewers. The limit promised to the customer is later. */
export const PROMISED_MS = 3 * 86_400_000;
/** Source prices have more decimals than the index. */
const SOURCE_DECIMALS = 6;
const unknown = () => refuse('dispute_unknown' as const, { field: 'id' });

/** How staff handle disputes. */
export interface Review {
  item(row: DisputeRow): Promise<DisputeItem>;
  read(id: string): Promise<DisputeCase | null>;
  propose(
    operator: OperatorSession,
    wanted: { readonly id: string; readonly version: number; readonly finding: Finding; readonly text: string },
    now: Date,
  ): Promise<
    Decision<
      DisputeCase,
      | 'dispute_unknown'
      | 'version_stale'
      | 'finding_disagrees_with_replay'
      | 'text_names_site'
      | 'text_asks_for_secret'
      | 'text_asks_for_payment'
    >
  >;
  report(
    operator: OperatorSession,
    wanted: { readonly id: string; readonly version: number; readonly text: string },
    now: Date,
  ): Promise<
    Decision<DisputeCase, 'dispute_unknown' | 'version_stale' | 'finding_disagrees_with_replay' | 'already_reported'>
  >;
  readonly kind: ApprovalKind;
}

export function openReview(module: DisputesDependencies): Review {
  const { database, options, audit } = module;
  const staffOf = async (operator: bigint | null) =>
    operator === null ? null : { id: String(operator), work_name: await module.staffName(operator) };
  const replayOf = async (row: DisputeRow) => {
    const evidence = await options.evidence(row.customer, row.order_id);
    if (!evidence) throw new Error(`dispute ${row.id} is about no settled order`);
    return { evidence, replay: await replayOption(evidence, await module.keys()) };
  };

  const item = async (row: DisputeRow): Promise<DisputeItem> => ({
    id: row.id,
    customer: { id: String(row.customer), username: await module.usernameOf(row.customer) },
    order: row.order_id,
    status: row.state,
    opened_at: row.opened_at.toISOString(),
    promised_at: new Date(row.opened_at.getTime() + PROMISED_MS).toISOString(),
    deadline: row.deadline.toISOString(),
    first: await staffOf(row.first_by),
    finding: row.finding,
    version: row.version,
  });

  const read = async (id: string): Promise<DisputeCase | null> => {
    const row = await findDispute(database, id);
    if (!row) return null;
    const { evidence, replay } = await replayOf(row);
    const { order, ticks } = evidence;
    const faultBy = await staffOf(row.fault_by);
    const waiting = await module.findWaiting(database, ANSWER_KIND, id);
    return {
      ...(await item(row)),
      statement: row.statement,
      language: row.language,
      option: order,
      ticks: ticks.map(({ at, price, sequence }) => ({ at: new Date(at).toISOString(), price, sequence })),
      sources: replay.sources.map(({ name, price }) => ({ name, price: priceText(price) })),
      checks: replay.checks.map((check) => ({ ...check })),
      replay: { finding: replay.finding, computed: replay.computed },
      answer: row.answer,
      first_at: row.first_at?.toISOString() ?? null,
      second: await staffOf(row.second_by),
      second_at: row.second_at?.toISOString() ?? null,
      approval: waiting && { id: waiting.id, fingerprint: waiting.fingerprint.toString('hex') },
      fault: faultBy && row.fault_at ? { by: faultBy, at: row.fault_at.toISOString() } : null,
    };
  };
  const reread = async (id: string): Promise<DisputeCase> => {
    const found = await read(id);
    if (!found) throw new Error(`no dispute ${id}`);
    return found;
  };
  const staleOr = (row: DisputeRow, version: number) =>
    row.state === 'closed' || row.version !== version
      ? refuse('version_stale' as const, { params: { version: String(row.version) } })
      : null;

  return {
    item,
    read,

    async propose(operator, { id, version, finding, text }, now) {
      const known = await findDispute(database, id);
      if (!known) return unknown();
      const fault = faultOfStaffText(text);
      if (fault) return refuse(fault, { field: 'text' });
      const { replay } = await replayOf(known);
      if (replay.finding !== finding) return refuse('finding_disagrees_with_replay', { field: 'finding' });
      const about = await module.concernedBy(known.customer);
      const done = await database.transaction(async (transaction) => {
        const row = await lockDispute(transaction, id);
        if (!row) return unknown();
        const stale = staleOr(row, version);
        if (stale) return stale;
        // A new proposal closes the waiting approval, so a second person never approves a text that has changed.
        if (row.approval) await module.approvals.close(transaction, row.approval, 'stale');
        const opened = await module.approvals.open(transaction, {
          kind: ANSWER_KIND,
          subject: id,
          fingerprintOf: {
            dispute: id,
            order: row.order_id,
            customer: String(row.customer),
            version: String(row.version + 1),
            finding,
            answer: text,
          },
          need: 1,
          madeBy: operator.id,
          roles: ['compliance'],
          about,
          reason: finding,
          expiresAt: new Date(Math.max(row.deadline.getTime(), now.getTime() + PROMISED_MS)),
        });
        await proposeOn(transaction, row, { finding, answer: text, approval: opened.id, by: operator.id, at: now });
        await audit.append(transaction, {
          operator,
          what: 'dispute.proposed',
          on: { kind: 'dispute', id },
          customer: row.customer,
          after: { finding, approval: opened.id },
        });
        return accept(null);
      });
      return done.ok ? accept(await reread(id)) : done;
    },

    async report(operator, { id, version, text }, now) {
      const known = await findDispute(database, id);
      if (!known) return unknown();
      const { replay } = await replayOf(known);
      if (replay.finding !== 'fault_confirmed') return refuse('finding_disagrees_with_replay');
      const done = await database.transaction(
        async (transaction): Promise<Decision<null, 'dispute_unknown' | 'version_stale' | 'already_reported'>> => {
          const row = await lockDispute(transaction, id);
          if (!row) return unknown();
          if (row.fault_by !== null) return refuse('already_reported');
          const stale = staleOr(row, version);
          if (stale) return stale;
          await noteFault(transaction, id, operator.id, now);
          await module.onFaultConfirmed(transaction, { dispute: id, order: row.order_id, operator, text });
          await audit.append(transaction, {
            operator,
            what: 'dispute.fault_reported',
            on: { kind: 'dispute', id },
            customer: row.customer,
            note: text,
          });
          return accept(null);
        },
      );
      return done.ok ? accept(await reread(id)) : done;
    },

    kind: {
      async apply(transaction, { id: approval, content }, operator) {
        const proposed = JSON.parse(content) as { dispute: string; finding: Finding; version: string };
        const row = await lockDispute(transaction, proposed.dispute);
        if (row?.approval !== approval || row.state !== 'second_look') return false;
        // Replays the option again, because the stored data may have been repaired or damaged since the proposal.
        const { replay } = await replayOf(row);
        if (replay.finding !== proposed.finding) return false;
        const now = module.clock.now();
        if (!(await closeDispute(transaction, row.id, { by: operator.id, at: now }, approval))) return false;
        await options.closeDispute(transaction, row.id, replay.finding === 'fault_confirmed', approval);
        // Sent before the commit, once for each approval: should this one fail, the answer of a later one is sent too.
        void module.messages
          .send(row.customer, 'dispute_answered', { order: row.order_id, answer: row.answer ?? '' }, now, approval)
          .catch(module.onFault);
        return true;
      },
      customerOf: ({ content }) => BigInt((JSON.parse(content) as { customer: string }).customer),
    },
  };
}

/** Formats the price of a source in the signed tick. */
const priceText = (price: Replay['sources'][number]['price']): string => formatPrice(price as Price, SOURCE_DECIMALS);
