import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import type { OperatorSession } from '../../platform/edge/index.ts';
import type { ApprovalKind, ProposalRefusal } from '../../staff/operators/index.ts';
import { faultOfPublishedText } from '../../staff/staff-text.ts';
import type { SupportDependencies } from './support.ts';
import { insertReadyAnswer, listReadyAnswerRows } from './support-store.ts';

export const READY_ANSWER_APPROVAL = 'ready_answer';
const WAITS_MS = 72 * 3_600_000;

type Texts = { readonly [Each in Language]?: string | undefined };

/** Proposes a ready answer. It needs a second person, because customers read it as the platform's own word. */
export async function openReadyAnswerApproval(
  module: SupportDependencies,
  operator: OperatorSession,
  code: string,
  texts: Texts,
  now: Date,
): Promise<
  Decision<{ approval: string }, ProposalRefusal | 'already_waiting' | 'text_asks_for_secret' | 'text_asks_for_payment'>
> {
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)) as Record<
    string,
    string
  >;
  for (const [language, text] of Object.entries(given)) {
    const fault = faultOfPublishedText(text);
    if (fault) return refuse(fault, { field: language });
  }
  return module.database.transaction(async (transaction) => {
    if (await module.isApprovalWaiting(transaction, READY_ANSWER_APPROVAL, code))
      return refuse('already_waiting', { field: 'code' });
    const before = (await listReadyAnswerRows(transaction)).find((row) => row.code === code);
    const opened = await module.approvals.propose(transaction, operator, {
      kind: READY_ANSWER_APPROVAL,
      subject: code,
      fingerprintOf: {
        code,
        version: String((before?.version ?? 0) + 1),
        ...Object.fromEntries(Object.entries(given).map(([language, text]) => [`text_${language}`, text])),
      },
      roles: ['compliance', 'admin'],
      expiresAt: new Date(now.getTime() + WAITS_MS),
    });
    if (!opened.ok) return opened;
    const { id: approval } = opened.effect;
    await module.audit.append(transaction, {
      operator,
      what: 'support.ready_proposed',
      on: { kind: 'ready_answer', id: code },
      after: { approval },
    });
    return accept({ approval });
  });
}

/** Puts the answer into force once a second person has approved it. */
export const readyAnswerKind: ApprovalKind = {
  async apply(transaction, { id, content }) {
    const { code = '', version, ...flat } = JSON.parse(content) as Record<string, string>;
    const texts = Object.fromEntries(Object.entries(flat).map(([name, text]) => [name.replace('text_', ''), text]));
    const before = (await listReadyAnswerRows(transaction)).find((row) => row.code === code);
    if ((before?.version ?? 0) + 1 !== Number(version)) return false;
    await insertReadyAnswer(transaction, { code, version: Number(version), texts }, id);
    return true;
  },
  customerOf: () => null,
};
