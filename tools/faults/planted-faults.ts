import type { PlantedFault } from './plant.ts';

const ROOMS = 'apps/server/src';
const RULES = 'packages/settlement/src';

/** Faults of one file, with the tests nearest to it. */
const of = (
  module: string,
  where: string,
  tests: readonly string[],
  faults: readonly Pick<PlantedFault, 'find' | 'put' | 'says'>[],
): readonly PlantedFault[] => faults.map((fault) => ({ module, where, tests, ...fault }));

const W = `${ROOMS}/money/withdrawals`;
const WITHDRAWALS = [
  ...of(
    'withdrawals',
    `${RULES}/decide-withdrawal.ts`,
    [`${RULES}/decide-withdrawal.test.ts`],
    [
      { find: "rate, 'up')", put: "rate, 'down')", says: 'a fee is rounded down' },
      { find: 'until > longest.until', put: 'until < longest.until', says: 'the earlier of two waits counts' },
      { find: '  quote.payee === payee &&\n', put: '', says: 'a quote is honoured for another payee' },
      { find: '  quote.validUntil >= now &&\n', put: '', says: 'a quote is honoured after its time' },
      {
        find: "(what === 'withdrawal' || what === 'payout_release')",
        put: "what === 'payout_release'",
        says: 'people approve the withdrawal of a frozen customer',
      },
      {
        find: "(what === 'withdrawal' || what === 'payout_release')",
        put: "what === 'withdrawal'",
        says: 'people release the payout of a frozen customer',
      },
      { find: 'if (asked.isFrozen)', put: 'if (false)', says: 'a customer who is frozen meanwhile withdraws' },
      { find: 'if (asked.isQuoteUsed)', put: 'if (false)', says: 'a quote is used twice' },
      {
        find: 'isMore(sum, dailyMax)',
        put: 'isMore(amount, dailyMax)',
        says: 'each part of a day is compared with the day’s limit',
      },
      {
        find: 'peopleNeededFor(sum,',
        put: 'peopleNeededFor(amount,',
        says: 'nobody is asked about a sum in small parts',
      },
    ],
  ),
  ...of(
    'withdrawals',
    `${RULES}/decide-withdrawal-vote.ts`,
    [`${RULES}/decide-withdrawal-vote.test.ts`],
    [
      { find: "  if (isStale) return refuse('version_stale');\n", put: '', says: 'a vote counts for what has changed' },
      { find: 'return isDecided ? { to:', put: 'return true ? { to:', says: 'one vote of two sends a withdrawal' },
      {
        find: "payout_release: ['approved']",
        put: "payout_release: ['approved', 'sending']",
        says: 'people give back what the signer is sending',
      },
      {
        find: "!isDecided || what === 'withdrawal_lost'",
        put: '!isDecided',
        says: 'votes give back a payout that the chain may still include',
      },
      {
        find: "decision === 'reject' ? { to: 'returned', money: 'give_back' } : NOTHING",
        put: 'NOTHING',
        says: 'a payout that people refuse is lost',
      },
    ],
  ),
  ...of(
    'withdrawals',
    `${RULES}/decide-wallet.ts`,
    [`${RULES}/decide-wallet.test.ts`],
    [
      {
        find: 'newest !== null || hasAddresses',
        put: 'newest !== null',
        says: 'a second key is made beside an unnamed wallet',
      },
      { find: 'known.includes(own)', put: 'true', says: 'the key of any wallet is taken' },
    ],
  ),
  ...of(
    'withdrawals',
    `${W}/request-withdrawal.ts`,
    [`${W}/withdrawals.test.ts`],
    [
      {
        find: 'const subject = quoteId ??',
        put: "const subject = 'withdrawal' ??",
        says: 'a second factor confirms any withdrawal, not this one',
      },
      { find: 'payee: quote.payee_id,', put: 'payee: payee.id,', says: 'the quote’s payee is not looked at' },
      {
        find: '({ fee, baht, rate } = quote);',
        put: '({ baht, rate } = quote);',
        says: 'a quote’s fee is not honoured',
      },
    ],
  ),
  ...of(
    'withdrawals',
    `${W}/withdrawal-kinds.ts`,
    [`${W}/withdrawals.test.ts`],
    [
      {
        find: 'isFrozen: frozen.has(customer),',
        put: 'isFrozen: false,',
        says: 'a freeze of withdrawals alone is not looked at under the lock',
      },
      {
        find: ' && !frozen.has(row.customer_id)\n',
        put: '\n',
        says: 'a withdrawal passes by itself although its owner is frozen meanwhile',
      },
      { find: 'row?.customer_id !== customer', put: 'row === undefined', says: 'a stranger cancels a withdrawal' },
    ],
  ),
  ...of(
    'withdrawals',
    `${W}/withdrawal-kinds.ts`,
    [`${W}/payout-release.test.ts`],
    [
      {
        find: "  if (fee > 0n) back.push({ kind: 'single', debit: FEES, credit, units: fee, code: 'withdrawal_returned' });\n",
        put: '',
        says: 'a returned payout does not give its fee back',
      },
    ],
  ),
  ...of(
    'withdrawals',
    `${W}/decide-withdrawal.ts`,
    [`${ROOMS}/whole/recovery.test.ts`],
    [
      {
        find: 'waiting !== null && isStoppedByFreeze(waiting.what, decision)',
        put: 'false',
        says: 'a vote does not ask whether its customer is frozen',
      },
    ],
  ),
];

const PAYOUTS = of(
  'payouts',
  `${RULES}/decide-payout.ts`,
  [`${RULES}/decide-payout.test.ts`],
  [
    {
      find: "if (votes < people) return 'votes';",
      put: '',
      says: 'the signer pays without the people that a withdrawal demands',
    },
    {
      find: 'word.sequence < taken',
      put: 'false',
      says: 'the signer does not wait until the checker has come to a payout',
    },
    { find: 'before.day + units > limits.day ||', put: '', says: 'the day’s budget is not looked at' },
    {
      find: 'const RELEASED_BY = 2;',
      put: 'const RELEASED_BY = 1;',
      says: 'one person releases a payout beyond the budget',
    },
  ],
);

const D = `${ROOMS}/money/deposits`;
const DEPOSITS = [
  ...of(
    'deposits',
    `${D}/watch-chain.ts`,
    [`${D}/watch-chain.test.ts`],
    [
      {
        find: 'const { code, confirmations, treasury } = config;',
        put: 'const { code, treasury } = config;\n  const confirmations = 1;',
        says: 'a deposit is credited with its first block',
      },
      {
        find: 'if (deposit.amount < minimum) await setDepositAside',
        put: 'if (false) await setDepositAside',
        says: 'less than the minimum is credited',
      },
      {
        find: "return held >= least ? 'agreed' : 'emptied';",
        put: "return 'agreed';",
        says: 'an event without a balance behind it is credited',
      },
    ],
  ),
  ...of(
    'deposits',
    `${RULES}/reversal-use.ts`,
    [`${RULES}/reversal-use.test.ts`],
    [
      {
        find: 'own -= paid;',
        put: '',
        says: 'own money pays for everything that an undone deposit paid',
      },
    ],
  ),
  ...of(
    'deposits',
    `${RULES}/decide-reopening.ts`,
    [`${RULES}/decide-reopening.test.ts`],
    [
      {
        find: "if (seen === decided) return refuse('as_decided');",
        put: "if (seen !== null) return refuse('as_decided');",
        says: 'a decision stands though the transfer pays another amount',
      },
      {
        find: "if (isBeingSent) return refuse('being_sent');",
        put: '',
        says: 'a return that is on its way is decided a second time',
      },
    ],
  ),
  ...of(
    'deposits',
    `${D}/reopen-decided-cases.ts`,
    [`${D}/reopen-decided-cases.test.ts`],
    [
      {
        find: 'row.block_height === null ? null : row.amount',
        put: 'row.amount',
        says: 'a decision stands though no block has the transfer',
      },
    ],
  ),
  ...of(
    'deposits',
    `${D}/deposit-kinds.ts`,
    [`${D}/watch-chain.test.ts`, `${W}/signer/sweeps.test.ts`],
    [
      {
        find: '...part(spot, taken), ...part(CAPITAL, shortfall)',
        put: '...part(spot, taken)',
        says: 'nobody bears what the customer has spent of a reversed deposit',
      },
      {
        find: 'if (shortfall.units > 0n)\n',
        put: 'if (shortfall < 0n)\n',
        says: 'a customer who spent reversed money is not frozen',
      },
      {
        find: "part(CLEARING, amount.units, 'sweep')",
        put: "part(CAPITAL, amount, 'capital_received')",
        says: 'a sweep is booked as the house’s capital',
      },
    ],
  ),
  ...of(
    'deposits',
    `${RULES}/decide-match.ts`,
    [`${RULES}/decide-match.test.ts`],
    [
      {
        find: "if (importers.includes(operator)) return refuse('own_import', { field: 'line' });",
        put: '',
        says: 'who imported a line matches it',
      },
      { find: 'alone.byCustomer, ', put: '', says: 'a customer’s matches of a day are not summed' },
      { find: 'isInTime ? ordered : today', put: 'ordered', says: 'late money gets the old rate' },
    ],
  ),
  ...of(
    'deposits',
    `${D}/match-kind.ts`,
    [`${ROOMS}/whole/money-in-and-out.test.ts`],
    [
      {
        find: "if (line.used_by !== null) return refuse('line_used', { field: 'line' });",
        put: '',
        says: 'a bank line that was used pays another order',
      },
    ],
  ),
  ...of(
    'deposits',
    `${D}/deposit-kinds.ts`,
    [`${D}/repay-shortfalls.test.ts`],
    [{ find: 'if (units === owed.units)', put: 'if (units <= owed.units)', says: 'a part of a debt ends the freeze' }],
  ),
  ...of(
    'deposits',
    `${RULES}/decide-reversal.ts`,
    [`${RULES}/decide-reversal.test.ts`],
    [
      {
        find: 'const taken = isMore(asked, available) ? available : asked;',
        put: 'const taken = asked;',
        says: 'a reversal takes what the customer no longer has',
      },
      {
        find: "isMore(shortfall, capital) ? refuse('house_short') :",
        put: '',
        says: 'the house bears more than it has',
      },
      {
        find: 'const amount = upTo(owed, available);',
        put: 'const amount = available;',
        says: 'a repayment takes more than is owed',
      },
      {
        find: 'const back = upTo(amount, movedThere);',
        put: 'const back = amount;',
        says: 'more comes back from cold storage than was moved there',
      },
    ],
  ),
];

const SWEEPS = of(
  'sweeps',
  `${W}/signer/sweeps.ts`,
  [`${W}/signer/sweeps.test.ts`],
  [
    {
      find: "if (BigInt(held === '0x' ? 0 : held) < units) {",
      put: 'if (false) {',
      says: 'more is swept than an address holds',
    },
  ],
);

const E = `${ROOMS}/earning/earning`;
const EARNING = [
  ...of(
    'earning',
    `${E}/subscribe-lockup.ts`,
    [`${E}/same-batch.test.ts`],
    [
      {
        find: '      takenBy.set(key, decision.effect.takenBy);\n',
        put: '',
        says: 'a customer’s other orders of a batch are not counted',
      },
      {
        find: '      taken.set(product, decision.effect.taken);\n',
        put: '',
        says: 'other customers’ orders of a batch are not counted in the quota',
      },
    ],
  ),
  ...of(
    'earning',
    `${E}/move-liquidity.ts`,
    [`${E}/same-batch.test.ts`],
    [
      {
        find: '      context.cost = decision.effect;\n',
        put: '',
        says: 'the fund’s promise forgets the other subscriptions of a batch',
      },
      {
        find: '      context.quick = decision.effect;\n',
        put: '',
        says: 'the day’s cap forgets the other redemptions of a batch',
      },
    ],
  ),
  ...of(
    'earning',
    `${RULES}/decide-earning.ts`,
    [`${RULES}/decide-earning.test.ts`],
    [
      {
        find: '!isWaiting && available - promised',
        put: 'available - promised',
        says: 'subscriptions go on while a day waits to be paid',
      },
      { find: 'available - promised >=', put: 'available >=', says: 'a promise is not taken off what the fund has' },
      { find: 'YEAR_DIVISOR - 1n) /', put: '0n) /', says: 'the cost of a day is rounded down' },
      { find: 'if (isMore(sum, QUICK_REDEMPTION_MAX))', put: 'if (false)', says: 'quick redemptions have no cap' },
      {
        find: 'const sum = add(quick, amount);',
        put: 'const sum = amount;',
        says: 'each quick redemption is compared with the whole cap of the day',
      },
      {
        find: 'takenBy: add(limits.takenBy, amount)',
        put: 'takenBy: limits.takenBy',
        says: 'the next lock-up of a batch does not count this one',
      },
      {
        find: 'cost.lastDay + highestDailyIncome',
        put: 'highestDailyIncome',
        says: 'the fund forgets what liquidity costs already',
      },
    ],
  ),
  ...of(
    'earning',
    `${E}/subscribe-lockup.ts`,
    [`${E}/limits.test.ts`],
    [
      {
        find: 'if (quote !== null && quote !== quoteNameOf(terms.version, day)) return',
        put: 'if (false) return',
        says: 'a quote of yesterday’s terms is honoured',
      },
    ],
  ),
];

const B = `${ROOMS}/earning/boxes`;
const BOXES = [
  ...of(
    'boxes',
    `${RULES}/decide-draw.ts`,
    [`${RULES}/decide-draw.test.ts`],
    [
      { find: '=> subtract(budget, paid);', put: '=> budget;', says: 'the end of a box returns what was paid' },
      {
        find: 'subtract(subtract(budget, paid), money(max.asset, max.units * BigInt(open)))',
        put: 'subtract(budget, paid)',
        says: 'open draws are not counted in what a box has left',
      },
      {
        find: 'subtract(subtract(budget, paid), money',
        put: 'subtract(budget, money',
        says: 'prizes are not counted in what a box has left',
      },
      {
        find: "if (now >= box.closesAt || box.isReturned) return 'closed';",
        put: '',
        says: 'a box is sold after its end',
      },
      {
        find: "if (isMore(price, available)) return refuse('points_missing');",
        put: '',
        says: 'a draw costs points that nobody has',
      },
      { find: 'return won;', put: 'return held;', says: 'every prize is paid as the largest' },
      {
        find: ' || isMore(wanted.points, available.points)',
        put: '',
        says: 'a box is given points that the rewards do not have',
      },
    ],
  ),
  ...of(
    'boxes',
    `${B}/draw-kind.ts`,
    [`${B}/draws.test.ts`],
    [
      {
        find: 'boxes.set(id, { ...box, drawn: i, open: box.open + 1 });',
        put: '',
        says: 'two draws of a batch get the same number',
      },
      {
        find: "available: money('POINTS', funds.available(points)),",
        put: 'available: box.price,',
        says: 'a customer without points draws',
      },
    ],
  ),
];

const C = `${ROOMS}/service/corrections`;
const CORRECTIONS = [
  ...of(
    'corrections',
    `${RULES}/decide-correction.ts`,
    [`${RULES}/decide-correction.test.ts`],
    [
      {
        find: 'if (left && isMore(amount, left))',
        put: 'if (false)',
        says: 'a correction moves more than the error did',
      },
      { find: 'isMore(amount, GOODWILL_MAX)', put: 'false', says: 'goodwill has no limit' },
      {
        find: "if (!isAllowed || (kind === 'refund' && house === 'goodwill'))",
        put: 'if (false)',
        says: 'any account of the house pays a correction',
      },
    ],
  ),
  ...of(
    'corrections',
    `${RULES}/decide-correction-vote.ts`,
    [`${RULES}/decide-correction-vote.test.ts`],
    [
      {
        find: "if (pays && isMore(pays.amount, pays.available)) return refuse('account_short');",
        put: '',
        says: 'a vote pays from an account that has too little',
      },
      {
        find: "if (isUndone) return refuse('already_corrected');",
        put: '',
        says: 'a credit is corrected that the chain has taken back',
      },
      {
        find: "if (!isWorth) return refuse('kept_nothing_due');",
        put: '',
        says: 'a kept receipt is paid that is worth something else',
      },
    ],
  ),
  ...of(
    'corrections',
    `${C}/prepare-correction.ts`,
    [`${ROOMS}/whole/recovery.test.ts`],
    [
      {
        find: 'lost: lost && { amount: lost.amount, corrected, isLost: lost.isLost },',
        put: 'lost: lost && { amount: lost.amount, corrected: zero(asset), isLost: lost.isLost },',
        says: 'what was corrected already of a lost deposit is not counted',
      },
    ],
  ),
  ...of(
    'corrections',
    `${C}/prepare-correction.ts`,
    [`${C}/corrections.test.ts`],
    [
      {
        find: 'if (wrong && (await hasTakenPartIn(database, wrong.sequence, operator)))',
        put: 'if (false)',
        says: 'who moved money corrects the movement',
      },
    ],
  ),
  ...of(
    'corrections',
    `${C}/decide-correction.ts`,
    [`${C}/corrections.test.ts`],
    [
      {
        find: 'isStale: row.version !== version,',
        put: 'isStale: false,',
        says: 'a vote counts for another version than was read',
      },
    ],
  ),
  ...of(
    'corrections',
    `${C}/decide-correction.ts`,
    [`${ROOMS}/whole/recovery.test.ts`],
    [
      {
        find: 'isOwn: lost?.openedBy === operator.id,',
        put: 'isOwn: false,',
        says: 'who stated a loss approves its payment',
      },
    ],
  ),
  ...of(
    'corrections',
    `${C}/take-due-debits.ts`,
    [`${C}/corrections.test.ts`],
    [
      {
        find: '= decideDebit(amount, available);',
        put: '= available;',
        says: 'a debit takes all that a customer has',
      },
    ],
  ),
];

const P = `${ROOMS}/service/disputes`;
const DISPUTES = [
  ...of(
    'disputes',
    `${P}/review-trades.ts`,
    [`${P}/disputes.test.ts`],
    [
      {
        find: 'return replay.finding === finding',
        put: 'return replay.finding',
        says: 'people find what the replay does not',
      },
      {
        find: "if (replay.finding !== 'fault_confirmed') return refuse('finding_disagrees_with_replay');",
        put: '',
        says: 'a fault is reported that the replay does not show',
      },
      {
        find: "if (known.fault_by !== null) return refuse('already_reported');",
        put: '',
        says: 'a fault is reported twice',
      },
    ],
  ),
  ...of(
    'disputes',
    `${P}/dispute-review.ts`,
    [`${P}/disputes.test.ts`],
    [
      {
        find: "row.state === 'closed' || row.version !== version",
        put: 'false',
        says: 'an answer replaces one that its writer has not read',
      },
    ],
  ),
  ...of(
    'disputes',
    `${P}/replay-option.ts`,
    [`${P}/disputes.test.ts`],
    [{ find: '!verified || !isSame ?', put: '!isSame ?', says: 'a receipt that does not verify is found right' }],
  ),
  ...of(
    'disputes',
    `${P}/open-money-dispute.ts`,
    [`${P}/disputes.test.ts`],
    [
      {
        find: 'if ((error as { code?: unknown }).code === TOO_MANY) return null;',
        put: '',
        says: 'a sixth dispute at once is a fault instead of a refusal',
      },
    ],
  ),
  ...of(
    'disputes',
    `${P}/review-money.ts`,
    [`${C}/corrections.test.ts`],
    [
      {
        find: "return named?.customer === customer && ['announced', 'done'].includes(named.step);",
        put: 'return true;',
        says: 'an answer promises a correction that nobody agreed to',
      },
    ],
  ),
];

const R = `${ROOMS}/earning/rewards`;
const REWARDS = [
  ...of(
    'rewards',
    `${RULES}/decide-sign-in.ts`,
    [`${RULES}/decide-sign-in.test.ts`],
    [
      { find: 'last.day >= day', put: 'last.day === day', says: 'a clock that is set back pays a day again' },
      {
        find: "if (isMore(reward.points, available.points)) return refuse('reward_fund_empty');",
        put: '',
        says: 'points are given that the account does not have',
      },
      {
        find: "isMore(reward.usdt, available.usdt) ? zero('USDT') : reward.usdt",
        put: 'reward.usdt',
        says: 'USDT is given that the account does not have',
      },
      { find: 'subtract(reward.usdt, usdt)', put: "zero('USDT')", says: 'what was not paid is not shown' },
      { find: '(last.rung % LADDER_DAYS) + 1', put: 'last.rung + 1', says: 'the ladder goes on after its last day' },
      { find: 'last.day === day - 1', put: 'last.day < day', says: 'a missed day does not begin the ladder again' },
    ],
  ),
  ...of(
    'rewards',
    `${R}/sign-in-kind.ts`,
    [`${R}/sign-in.test.ts`],
    [
      {
        find: "usdt: money('USDT', funds.available(REWARDS_USDT_ACCOUNT)),",
        put: "usdt: money('USDT', 10n ** 12n),",
        says: 'a sign-in does not look what the fund has',
      },
    ],
  ),
  ...of(
    'rewards',
    `${RULES}/decide-reward.ts`,
    [`${RULES}/decide-reward.test.ts`],
    [
      {
        find: "isLocking && certified === 'none'",
        put: 'isLocking && false',
        says: 'a locked reward is available at once',
      },
      {
        find: "if (certified === 'none') return refuse('primary_required');",
        put: '',
        says: 'locked rewards are released without a certification',
      },
    ],
  ),
  ...of(
    'rewards',
    `${R}/grant-points.ts`,
    [`${R}/sign-in.test.ts`],
    [
      {
        find: 'ledger.post(grantKind, { ...grant, place, at }, { id,',
        put: 'ledger.post(grantKind, { ...grant, place, at }, { id: crypto.randomUUID(),',
        says: 'a grant is paid as often as it is asked for',
      },
    ],
  ),
];

const S = `${ROOMS}/people/safeguards`;
const SAFEGUARDS = [
  ...of(
    'safeguards',
    `${S}/play-guards.ts`,
    [`${S}/own-limits.test.ts`],
    [
      {
        find: "for (const period of ['day', 'week', 'month'] as const) lost[period] += stake;",
        put: '',
        says: 'own limits forget the other orders of a batch',
      },
    ],
  ),
];

const O = `${ROOMS}/exchange/options`;
const OPTIONS = [
  ...of(
    'options',
    `${O}/exposures.ts`,
    [`${O}/buy-option.test.ts`],
    [{ find: '    ofCoin.promised += promised;\n', put: '', says: 'the exposure of a coin forgets an order' }],
  ),
  ...of(
    'options',
    `${O}/purchase.ts`,
    [`${O}/buy-option.test.ts`],
    [
      { find: '      exposures.add(order);\n', put: '', says: 'the exposure forgets the other orders of a batch' },
      {
        find: 'kept.get(coin) ?? 0, market.newestTickMs(coin) ?? 0)',
        put: '0)',
        says: 'an order is dated before a tick that somebody may have seen',
      },
    ],
  ),
  ...of(
    'options',
    `${RULES}/decide-sale.ts`,
    [`${RULES}/decide-sale.test.ts`, `${RULES}/sale-rules.test.ts`],
    [
      {
        find: '  if (isMore(price, optionWorthOf(terms, sale, start, newest))) return moved();\n',
        put: '',
        says: 'a sale is paid at a price that has ended since',
      },
      {
        find: '  if (optionBidOf(terms, sale, start, quoted)?.units !== price.units) return moved();\n',
        put: '',
        says: 'a customer names the price of a sale',
      },
      {
        find: 'newest.atMs < arrivedMs + SALE_TAKEN_AFTER_MS',
        put: 'false',
        says: 'a sale is taken before the index knows',
      },
      { find: "if (order.status !== 'holding')", put: 'if (false)', says: 'a settled option is sold' },
      {
        find: 'Math.max(newest.atMs, headMs, nowMs) > saleUntilMs(terms, sale)',
        put: 'false',
        says: 'an option is sold in its last seconds',
      },
    ],
  ),
  ...of(
    'options',
    `${RULES}/option-bid.ts`,
    [`${RULES}/option-bid.test.ts`, `${RULES}/sale-rules.test.ts`],
    [
      {
        find: 'ahead >= 0n ? BASIS_POINTS + bandBasisPoints : BASIS_POINTS - bandBasisPoints',
        put: 'BASIS_POINTS',
        says: 'the band of the volatility counts for nothing',
      },
      { find: 'halfOf(z + 1n)', put: 'halfOf(z)', says: 'a losing option is rounded up' },
      {
        find: 'stake.units * spreadBasisPoints + BASIS_POINTS - 1n',
        put: 'stake.units * spreadBasisPoints',
        says: 'the spread is rounded down',
      },
    ],
  ),
  ...of(
    'options',
    `${O}/sale-kind.ts`,
    [`${O}/sell-option.test.ts`],
    [
      { find: '      open.delete(order.id);\n', put: '', says: 'one batch sells an option twice' },
      {
        find: 'lowerExposure(transaction, closed.rows())',
        put: 'Promise.resolve()',
        says: 'the exposure of a sold option stays',
      },
    ],
  ),
  ...of(
    'options',
    `${RULES}/decide-void.ts`,
    [`${RULES}/decide-void.test.ts`],
    [
      {
        find: "  if (order.isVoided || order.status === 'void') return refuse('already_void');\n",
        put: '',
        says: 'a stake goes back twice',
      },
      { find: "  if (order.status !== 'lost') return", put: '  if (false) return', says: 'a won option is had void' },
      { find: '> LATE_VOID_OVER_MS', put: '>= LATE_VOID_OVER_MS', says: 'a price of five seconds gives the choice' },
      { find: 'if (nowMs > until)', put: 'if (false)', says: 'the choice never ends' },
      { find: 'if (order.isCorrected)', put: 'if (false)', says: 'a corrected loss goes back again' },
    ],
  ),
  ...of(
    'options',
    `${O}/void-kind.ts`,
    [`${O}/late-prices.test.ts`],
    [
      { find: 'found?.customer === customer ?', put: 'true ?', says: 'a stranger has an order void' },
      {
        find: '    if (found !== undefined) orders.set(id, { ...found, isVoided: true });\n',
        put: '',
        says: 'a batch forgets the other voids in it',
      },
    ],
  ),
];

const LEDGER = [
  ...of(
    'ledger',
    `${ROOMS}/ledger/decide-batch.ts`,
    [`${ROOMS}/ledger/eligibility.test.ts`],
    [
      {
        find: 'const isFrozen = customer !== null && frozen.has(customer);',
        put: 'const isFrozen = false;',
        says: 'a frozen customer moves money',
      },
    ],
  ),
  ...of(
    'ledger',
    `${ROOMS}/ledger/journal-poster.ts`,
    [`${ROOMS}/staff/operators/approvals.test.ts`],
    [
      {
        find: ' && !basis.outcomes.has(intent.id))',
        put: ')',
        says: 'an intent that was refused casts its vote later',
      },
      { find: 'votes[1] ?? BATCH_MAX', put: 'BATCH_MAX', says: 'a vote does not see the vote before it in its batch' },
    ],
  ),
  ...of(
    'ledger',
    `${ROOMS}/staff/operators/voted-kind.ts`,
    [`${ROOMS}/staff/operators/approvals.test.ts`],
    [
      {
        find: 'if (!checked.ok) return checked;',
        put: '',
        says: 'a vote is cast for what may not be decided',
      },
      {
        find: 'if (units > funds.available(account))',
        put: 'if (false)',
        says: 'a vote pays what others of its batch have taken',
      },
    ],
  ),
];

const SETTLEMENT = [
  ...of(
    'settlement',
    `${RULES}/decide-play.ts`,
    [`${RULES}/decide-play.test.ts`],
    [
      {
        find: 'lost[period] + stake > max',
        put: 'lost[period] > max',
        says: 'a limit on losses does not count the stake',
      },
      {
        find: 'staked + stake > limits.stakeDay',
        put: 'staked + stake >= limits.stakeDay',
        says: 'a day’s stakes end a unit too early',
      },
    ],
  ),
  ...of(
    'settlement',
    `${RULES}/withdrawal-limits.ts`,
    [`${RULES}/withdrawal-limits.test.ts`],
    [
      {
        find: "certified === 'advanced' && ofLevel && ",
        put: 'ofLevel && ',
        says: 'a level raises the limit without certification',
      },
    ],
  ),
  ...of(
    'settlement',
    `${RULES}/settle-fill.ts`,
    [`${RULES}/settle-fill.test.ts`],
    [
      {
        find: 'if (fill.isMakerFilled) moves.push',
        put: 'if (false) moves.push',
        says: 'a filled maker does not get the rest of its hold back',
      },
    ],
  ),
  ...of(
    'settlement',
    `${RULES}/decide-waiting.ts`,
    [`${RULES}/decide-waiting.test.ts`],
    [
      {
        find: 'tick.atMs > order.armedMs',
        put: 'tick.atMs >= order.armedMs',
        says: 'a tick of the past triggers an order',
      },
      {
        find: "(side === 'buy') === (trigger === 'stop')",
        put: "side === 'buy'",
        says: 'a take-profit triggers like a stop',
      },
      {
        find: 'cap !== null && cap < limit ? cap : limit',
        put: 'limit',
        says: 'a triggered buy costs more than it holds',
      },
      { find: 'if (held.units > available)', put: 'if (false)', says: 'an order waits with money that is not there' },
    ],
  ),
  ...of(
    'settlement',
    `${RULES}/decide-amend.ts`,
    [`${RULES}/decide-amend.test.ts`],
    [
      { find: 'if (asked.units > size)', put: 'if (false)', says: 'an order grows at its place' },
      { find: 'if (asked.units <= dealt)', put: 'if (false)', says: 'an order becomes smaller than what it has dealt' },
    ],
  ),
];

/** The faults that `main.ts` plants. When a rule moves, its faults must move too. */
export const PLANTED_FAULTS: readonly PlantedFault[] = [
  ...WITHDRAWALS,
  ...PAYOUTS,
  ...DEPOSITS,
  ...SWEEPS,
  ...EARNING,
  ...BOXES,
  ...CORRECTIONS,
  ...DISPUTES,
  ...REWARDS,
  ...SAFEGUARDS,
  ...OPTIONS,
  ...LEDGER,
  ...SETTLEMENT,
];
