import type { ApprovalKindName, ApprovalView } from '@sathorn/api';
import type { LoadPart } from '@sathorn/app/late';
import type { Texts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';
import type { BodyProps } from './bodies.tsx';
import { decimalOf, incidentPartsText, textFieldOf, titleWithoutBrand } from './contents.ts';

type Content = ApprovalView['content'];
interface Named {
  /** The item's name in the list, beside its kind, if it has no order number. */
  readonly nameOf?: (content: Content, texts: Texts) => string;
}
/** A case with its own pane, which has the evidence and, unless `isDecidedHere`, the decision. */
interface Case extends Named {
  readonly load: LoadPart<{ id: string }>;
  readonly href: (subject: string) => string;
  readonly isDecidedHere?: boolean;
}
/** A kind without its own pane: the approvals page shows the approval's content and decides it. */
interface Plain extends Named {
  readonly loadBody: LoadPart<BodyProps>;
}

type BodyName = Extract<keyof typeof import('./bodies.tsx'), `${string}Body`>;
const body = (name: BodyName): Plain => ({
  loadBody: () => import('./bodies.tsx').then((bodies) => ({ default: bodies[name] })),
});
const inUsdt = (content: Content, { amount }: Texts): string => {
  const asset = textFieldOf(content, 'asset') || 'USDT';
  return `${amount(decimalOf(textFieldOf(content, 'units') || textFieldOf(content, 'amount'), asset))} ${asset}`;
};
const workName = (content: Content): string => textFieldOf(content, 'work_name');

const withdrawal: Case = {
  load: () => import('../withdrawals/withdrawal-pane.tsx'),
  href: (subject) => routeHash('withdrawals', subject),
  nameOf: inUsdt,
};
const deposit: Case = {
  load: () => import('../deposits/deposit-pane.tsx'),
  href: (subject) => routeHash('deposits', subject),
};
const freeze: Plain = body('FreezeBody');
const operator: Plain = {
  ...body('OperatorBody'),
  nameOf: workName,
};

/** The display of each kind of approval, and where it is decided. A kind without an entry does not compile. */
export const APPROVAL_KIND_VIEWS: Readonly<Record<ApprovalKindName, Case | Plain>> = {
  certification_refusal: {
    load: () => import('../certifications/certification-pane.tsx'),
    href: (subject) => routeHash('certifications', subject),
    isDecidedHere: true,
    nameOf: (content, { code }) => code('reason', textFieldOf(content, 'reason')),
  },
  content: {
    ...body('ContentBody'),
    nameOf: titleWithoutBrand,
  },
  correction: {
    load: () => import('../corrections/correction-pane.tsx'),
    href: (subject) => routeHash('corrections', subject, { tab: 'waiting' }),
    nameOf: inUsdt,
  },
  deposit_match: {
    ...deposit,
    nameOf: (content, { amount }) => `฿${amount(decimalOf(textFieldOf(content, 'baht'), 'THB'))}`,
  },
  deposit_recovery: { ...deposit, nameOf: (content, { code }) => code('reason', textFieldOf(content, 'reason')) },
  dispute_answer: {
    load: () => import('../disputes/dispute-pane.tsx'),
    href: (subject) => routeHash('disputes', subject, { about: 'trades', tab: 'second_look' }),
    nameOf: (content, { code }) => code('reason', textFieldOf(content, 'finding')),
  },
  factor_reset: { loadBody: () => import('./factor-reset-body.tsx') },
  freeze_extend: freeze,
  freeze_lift: freeze,
  incident_close: {
    ...body('IncidentBody'),
    nameOf: (content, { code }) => incidentPartsText(content, code),
  },
  money_dispute_answer: {
    load: () => import('../disputes/money-dispute-pane.tsx'),
    href: (subject) => routeHash('disputes', subject, { about: 'money', tab: 'second_look' }),
  },
  offer: {
    ...body('OfferBody'),
    nameOf: (content, { code }) =>
      `${code('offer', textFieldOf(content, 'kind'))} · ${code('offer_subject', textFieldOf(content, 'subject'))}`,
  },
  operator_device: operator,
  operator_invite: operator,
  operator_role: operator,
  operator_unfreeze: operator,
  pause_end: {
    ...body('PauseBody'),
    nameOf: (content, { code }) => code('pausable', textFieldOf(content, 'subject')),
  },
  payout_foreign: {
    loadBody: () => import('./foreign-body.tsx'),
    nameOf: (content) => `${textFieldOf(content, 'hash').slice(0, 10)}…`,
  },
  payout_release: withdrawal,
  payout_return: withdrawal,
  ready_answer: {
    ...body('ReadyBody'),
    nameOf: (content) => `/${textFieldOf(content, 'code')}`,
  },
  restoration_end: { loadBody: () => import('./restoration-body.tsx') },
  voting_key: {
    loadBody: () => import('./voting-key-body.tsx'),
    nameOf: (content, { code }) => code('voter', textFieldOf(content, 'kind')),
  },
  withdrawal,
  withdrawal_failed: withdrawal,
  withdrawal_lost: withdrawal,
  withdrawal_paid: withdrawal,
};

export function approvalSubjectName({ kind, number, customer, content }: ApprovalView, texts: Texts): string {
  return [number, APPROVAL_KIND_VIEWS[kind].nameOf?.(content, texts), customer?.username].filter(Boolean).join(' · ');
}
