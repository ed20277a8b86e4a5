import {
  type Call,
  CONSENT_PRODUCTS,
  listAccountRecords,
  listAlerts,
  listApiKeys,
  listBalances,
  listContracts,
  listDailyTotals,
  listDeviceKeys,
  listDraws,
  listEarningOrders,
  listFills,
  listInvites,
  listMessages,
  listOptions,
  listOrdered,
  listOwnCorrections,
  listOwnDisputes,
  listOwnMoneyDisputes,
  listPayees,
  listSessions,
  listSignIns,
  listStaffActions,
  readCertification,
  readConsent,
  readEarningBalance,
  readLevel,
  readLoggedHeads,
  readOwnLiability,
  readPush,
  readSafeguards,
  readSecondFactor,
  readStatementHead,
  readSupport,
  readUser,
} from '@sathorn/api';

/** One part of the archive: a call, and whether its answer has pages. */
export interface ArchivePart {
  readonly name: string;
  readonly call: Call;
  readonly request: Readonly<Record<string, string>>;
  readonly isPaged: boolean;
}

const part = (name: string, call: Call, request: Readonly<Record<string, string>> = {}): ArchivePart => ({
  name,
  call,
  request,
  isPaged: 'entries' in call.request && 'page' in (call.request.entries as object),
});

/** Every call that tells a customer's own data. A test fails for a new one that is missing here. */
export const ARCHIVE_PARTS: readonly ArchivePart[] = [
  part('account', readUser),
  part('level', readLevel),
  part('certification', readCertification),
  ...CONSENT_PRODUCTS.map((product) => part(`consent_${product}`, readConsent, { product })),
  part('limits', readSafeguards),
  part('second_factor', readSecondFactor),
  part('sessions', listSessions),
  part('sign_ins', listSignIns),
  part('devices', listDeviceKeys),
  part('api_keys', listApiKeys),
  part('push', readPush),
  part('payees', listPayees),
  part('balances', listBalances),
  part('daily_totals', listDailyTotals),
  part('records', listAccountRecords, { setup: 'all' }),
  part('deposits', listAccountRecords, { setup: 'recharge' }),
  part('withdrawals', listAccountRecords, { setup: 'withdraw' }),
  part('options_holding', listOptions, { status: 'holding' }),
  part('options', listOptions, { status: 'history' }),
  part('contract_orders', listContracts, { status: 'all' }),
  part('fills', listFills, { limit: '500' }),
  ...['liquidity', 'regular'].map((type) => part(`earning_${type}`, readEarningBalance, { type })),
  part('lockups', listEarningOrders, { type: 'regular' }),
  ...['subscription', 'redemption', 'interest'].map((kind) =>
    part(`liquidity_${kind}`, listEarningOrders, { type: 'liquidity', kind }),
  ),
  part('box_draws', listDraws),
  part('invited', listInvites),
  part('price_alerts', listAlerts),
  part('notices', listMessages, { status: 'all' }),
  part('support', readSupport),
  part('disputes', listOwnDisputes),
  part('money_disputes', listOwnMoneyDisputes),
  part('corrections', listOwnCorrections),
  part('looked_at_by_staff', listStaffActions),
  part('ordered', listOrdered),
  part('signed_head', readStatementHead),
  part('logged_heads', readLoggedHeads),
  part('liability', readOwnLiability),
];

/** What is kept and not in the archive, as the file says it. */
export const LEFT_OUT: readonly string[] = [
  'passwords, recovery codes and keys of sign-in: only digests of them are kept',
  'the word against phishing, which would help whoever finds this file; it is shown under Security',
  'pictures and numbers of identity papers, which are sealed; customer service releases them to you',
];
