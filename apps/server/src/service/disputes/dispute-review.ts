import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ApprovalKind, ApprovalOpening, ProposalRefusal } from '../../staff/operators/index.ts';
import { faultOfStaffText } from '../../staff/staff-text.ts';
import type { CaseRow, CaseStore } from './case-store.ts';
import type { DisputesDependencies } from './disputes.ts';

/** The internal time limit for both reviewers. The limit promised to the customer is later. */
export const ANSWER_PROMISED_MS = 3 * 86_400_000;
/** The period over which closed disputes are counted. */
export const DISPUTES_COUNTED_MS = 90 * 86_400_000;
const PAGE = 30;
const OWN_PAGE = 20;

export interface DisputeAnswer<Row extends CaseRow> {
  readonly finding: NonNullable<Row['finding']>;
  readonly correction: string | null;
}

/** The differences between disputes about trades and about money. */
interface ReviewedSubject<
  Row extends CaseRow,
  Title extends { readonly order: string },
  Evidence,
  Own,
  Wanted,
  No extends string,
> {
  readonly kind: 'dispute' | 'money_dispute';
  readonly approvalKind: ApprovalOpening['kind'];
  readonly cases: CaseStore<Row>;
  title(row: Row): Promise<Title>;
  /** The additional data that reviewers see. */
  evidence(row: Row): Promise<Evidence>;
  /** The additional data that the customer sees. */
  own(row: Row): Promise<Own>;
  /** Decides whether the operator may give this answer, and returns the answer. */
  decide(row: Row, wanted: Wanted): Promise<Decision<DisputeAnswer<Row>, No>>;
  /** True if the agreed answer may still be given. Called under the lock of the case. */
  holds(transaction: Queries, row: Row, agreed: DisputeAnswer<Row>): Promise<boolean>;
  /** Carries out the consequences of the answer, in the transaction that closes the case. */
  closed(transaction: Queries, row: Row, approval: string): Promise<void>;
}

type StaffTextFault = NonNullable<ReturnType<typeof faultOfStaffText>>;
const unknown = () => refuse('dispute_unknown' as const, { field: 'id' });
const placeOf = (page: string) => {
  const [ms = '', id = ''] = page.split('.');
  return id === '' ? null : { at: new Date(Number(ms)), id };
};

/** The handling of disputes of one kind by staff: one person proposes an answer, and another agrees to it. */
export function openDisputeReview<
  Row extends CaseRow,
  Title extends { readonly order: string },
  Evidence,
  Own,
  Wanted,
  No extends string,
>(module: DisputesDependencies, subject: ReviewedSubject<Row, Title, Evidence, Own, Wanted, No>) {
  const { database, audit } = module;
  const { cases } = subject;
  const staffOf = async (operator: bigint | null) =>
    operator === null ? null : { id: String(operator), work_name: await module.staffName(operator) };

  const item = async (row: Row) => ({
    id: row.id,
    customer: { id: String(row.customer), username: await module.usernameOf(row.customer) },
    ...(await subject.title(row)),
    status: row.state,
    opened_at: row.opened_at.toISOString(),
    promised_at: new Date(row.opened_at.getTime() + ANSWER_PROMISED_MS).toISOString(),
    deadline: row.deadline.toISOString(),
    first: await staffOf(row.first_by),
    finding: row.finding as Row['finding'],
    version: row.version,
  });

  const own = async (row: Row) => {
    const isClosed = row.state === 'closed';
    return {
      id: row.id,
      ...(await subject.title(row)),
      statement: row.statement,
      status: row.state,
      opened_at: row.opened_at.toISOString(),
      deadline: row.deadline.toISOString(),
      // A proposed answer is hidden until a second person has approved it.
      finding: isClosed ? (row.finding as Row['finding']) : null,
      answer: isClosed ? row.answer : null,
      answered_at: row.second_at?.toISOString() ?? null,
      reviewers: await Promise.all([row.first_by, row.second_by].filter((one) => one !== null).map(module.staffName)),
      ...(await subject.own(row)),
    };
  };

  const fullOf = async (row: Row) => {
    const [evidence, waiting] = await Promise.all([
      subject.evidence(row),
      module.findWaiting(database, subject.approvalKind, row.id),
    ]);
    return {
      ...(await item(row)),
      statement: row.statement,
      language: row.language,
      ...evidence,
      answer: row.answer,
      first_at: row.first_at?.toISOString() ?? null,
      second: await staffOf(row.second_by),
      second_at: row.second_at?.toISOString() ?? null,
      approval: waiting && { id: waiting.id, fingerprint: waiting.fingerprint.toString('hex') },
    };
  };
  const read = async (id: string) => {
    const row = await cases.find(database, id);
    return row ? accept(await fullOf(row)) : unknown();
  };

  /** Changes the open case that the operator has read, under its lock. */
  async function change<Refused extends string>(
    { id, version }: { readonly id: string; readonly version: number },
    work: (transaction: Queries, row: Row) => Promise<Decision<null, Refused>>,
  ) {
    const done = await database.transaction(
      async (transaction): Promise<Decision<null, 'dispute_unknown' | 'version_stale' | Refused>> => {
        const row = await cases.lock(transaction, id);
        if (!row) return unknown();
        if (row.state === 'closed' || row.version !== version)
          return refuse('version_stale', { params: { version: String(row.version) } });
        return work(transaction, row);
      },
    );
    return done.ok ? read(id) : done;
  }

  const kind: ApprovalKind = {
    async apply(transaction, { id: approval, content }, operator) {
      const agreed = JSON.parse(content) as DisputeAnswer<Row> & { readonly dispute: string; readonly order: string };
      const row = await cases.lock(transaction, agreed.dispute);
      if (row?.approval !== approval || row.state !== 'second_look') return false;
      if (!(await subject.holds(transaction, row, agreed))) return false;
      const now = module.clock.now();
      if (!(await cases.close(transaction, row.id, { by: operator.id, at: now }, approval))) return false;
      await subject.closed(transaction, row, approval);
      // The notice is sent before the commit, once per approval. If the commit fails, a later approval's answer is sent
      // too.
      void module.messages
        .send(row.customer, 'dispute_answered', { order: agreed.order, answer: row.answer ?? '' }, now, approval)
        .catch(module.onFault);
      return true;
    },
    customerOf: ({ content }) => BigInt((JSON.parse(content) as { customer: string }).customer),
  };

  return {
    cases,
    item,
    own,
    read,
    change,
    kind,

    async list(
      { status = 'open', page = '' }: { status?: CaseRow['state'] | undefined; page?: string | undefined },
      now: Date,
    ) {
      const ago = (past: number) => new Date(now.getTime() - past);
      const [rows, counts] = await Promise.all([
        cases.list(database, status, placeOf(page), PAGE + 1),
        cases.count(database, ago(DISPUTES_COUNTED_MS), ago(ANSWER_PROMISED_MS)),
      ]);
      const shown = rows.slice(0, PAGE);
      const last = shown.at(-1);
      const at = last && (status === 'closed' ? last.second_at : last.opened_at);
      return {
        items: await Promise.all(shown.map(item)),
        next: rows.length > PAGE && last && at ? `${at.getTime()}.${last.id}` : null,
        counts,
      };
    },

    async listOwn(customer: bigint, page = '', about: string | null = null) {
      const rows = await cases.listOf(database, customer, placeOf(page), OWN_PAGE + 1, about);
      const shown = rows.slice(0, OWN_PAGE);
      const last = shown.at(-1);
      return {
        items: await Promise.all(shown.map(own)),
        next: rows.length > OWN_PAGE && last ? `${last.opened_at.getTime()}.${last.id}` : null,
      };
    },

    async propose(
      operator: OperatorSession,
      wanted: Wanted & { readonly id: string; readonly version: number; readonly text: string },
      now: Date,
    ) {
      const { id, text } = wanted;
      const known = await cases.find(database, id);
      if (!known) return unknown();
      const fault: StaffTextFault | null = faultOfStaffText(text);
      if (fault) return refuse(fault, { field: 'text' });
      const decided = await subject.decide(known, wanted);
      if (!decided.ok) return decided;
      const { finding, correction } = decided.effect;
      const [about, { order }] = await Promise.all([module.concernedBy(known.customer), subject.title(known)]);
      const ofMoney = subject.kind === 'money_dispute' ? { correction } : {};
      return change<ProposalRefusal>(wanted, async (transaction, row) => {
        const opened = await module.approvals.propose(transaction, operator, {
          kind: subject.approvalKind,
          subject: id,
          fingerprintOf: {
            dispute: id,
            order,
            customer: String(row.customer),
            version: String(row.version + 1),
            finding,
            answer: text,
            ...ofMoney,
          },
          roles: ['compliance'],
          about,
          reason: finding,
          expiresAt: new Date(Math.max(row.deadline.getTime(), now.getTime() + ANSWER_PROMISED_MS)),
          // Otherwise a second person could approve a text that has changed.
          replaces: row.approval,
        });
        if (!opened.ok) return opened;
        const { id: approval } = opened.effect;
        await cases.propose(transaction, row, {
          finding,
          correction,
          answer: text,
          approval,
          by: operator.id,
          at: now,
        });
        await audit.append(transaction, {
          operator,
          what: 'dispute.proposed',
          on: { kind: subject.kind, id },
          customer: row.customer,
          after: { finding, approval, ...ofMoney },
        });
        return accept(null);
      });
    },
  };
}
