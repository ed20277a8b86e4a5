/**
 * Decides whether a customer may do something now. There are two answers with separate caches.
 *
 * `guardBeginnings` runs at the edge, before a call, and checks pauses of the platform, breaks, consents and reserves.
 * Each process has them in memory, and the bus announces changes. `openEligibility` runs under the ledger's lock, in
 * the batch's one round trip, and checks freezes and the customer's own limits. The database enforces both of those.
 * What a freeze means for a withdrawal is decided in `decideWithdrawal`.
 */
import {
  addAlert,
  addFromDeposits,
  addRecurring,
  addRenewal,
  amendContract,
  amendWaiting,
  approveCorrection,
  approveWithdrawal,
  askPractice,
  buyOption,
  type Call,
  type ConsentProduct,
  cancelWithdrawal,
  drawBox,
  fundDemo,
  matchDeposit,
  type ParsedRequestOf,
  placeContract,
  placePair,
  placeWaiting,
  quoteSubscription,
  quoteWithdrawal,
  redeemLiquidity,
  rejectWithdrawal,
  requestWithdrawal,
  revokeContract,
  revokeContracts,
  revokeWaiting,
  sellOption,
  sendTestDeposit,
  signInDaily,
  submitDeposit,
  subscribeEarning,
  voidOption,
} from '@sathorn/api';
import type { CoinCode } from '@sathorn/money';
import { type CoinCover, type Decision, decideBeginning, type Refusing } from '@sathorn/settlement';
import type { ReadCoinCover } from '../exchange/contracts/index.ts';
import type { Eligibility } from '../ledger/index.ts';
import type { Consents } from '../people/consents/index.ts';
import { readFrozenCustomers, refuseFrozenCustomers } from '../people/customers/index.ts';
import { openPlayGuards } from '../people/safeguards/index.ts';
import type { CallContext, Handler } from '../platform/edge/index.ts';
import type { Module } from '../platform/module.ts';
import type { PauseSubject, Pauses } from '../staff/pauses/index.ts';

export const openEligibility = (): Eligibility => ({
  readFrozen: readFrozenCustomers,
  refuseFrozen: refuseFrozenCustomers,
  guards: openPlayGuards(),
});

interface Reasons {
  /** The pauses of the platform that stop the call. */
  readonly pauses?: readonly PauseSubject[];
  /** The product whose consent is required before the first order; a quote needs none. */
  readonly consent?: ConsentProduct;
  /** The coin that the call buys. */
  readonly buys?: CoinCode;
  /** True if a break or an exclusion stops the call here. Orders are stopped under the ledger's lock instead. */
  readonly hasBreaks?: boolean;
}
type Rows = ReadonlyMap<Call, ((request: never) => Reasons) | null>;
const row = <C extends Call>(call: C, reasons: ((request: ParsedRequestOf<C>) => Reasons) | null) =>
  [call as Call, reasons as ((request: never) => Reasons) | null] as const;

const product = (subject: string): PauseSubject => ({ kind: 'product', subject });
const coin = (subject: string): PauseSubject => ({ kind: 'coin', subject });
const channel = (subject: string): PauseSubject => ({ kind: 'channel', subject });
const earningOf = (type: 'liquidity' | 'regular') => [product(type === 'regular' ? 'lockup' : 'liquidity')];
const subscribingOf = (type: 'liquidity' | 'regular'): Reasons => ({ pauses: earningOf(type), consent: 'earning' });
const withdrawalOf = (request: { readonly channel: string }): Reasons => ({
  pauses: [product('withdrawals'), channel(request.channel)],
});
const placingOf = ({ code, side }: { readonly code: CoinCode; readonly side: 'buy' | 'sell' }): Reasons => ({
  pauses: [product('contracts'), coin(code)],
  consent: 'contracts',
  ...(side === 'buy' && { buys: code }),
});
/** An id begins with its coin. */
const amendingOf = ({ id }: { readonly id: string }): Reasons => ({
  pauses: [product('contracts'), coin(/^[A-Z]+/.exec(id)?.[0] ?? '')],
  consent: 'contracts',
});
const STOPS_AT_BREAKS = (): Reasons => ({ hasBreaks: true });

/**
 * Every call that moves money or begins something. Null for calls that always continue: existing positions are redeemed
 * or revoked, and operators' votes decide the rest.
 */
export const BEGINNING_RULES: Rows = new Map([
  row(buyOption, ({ code }) => ({ pauses: [product('options'), coin(code)], consent: 'options' })),
  // A wrong price of sales must be stoppable. Whoever holds an option loses nothing: it goes on to its end.
  row(sellOption, () => ({ pauses: [product('options')] })),
  row(placeContract, placingOf),
  row(placeWaiting, placingOf),
  row(placePair, placingOf),
  row(amendContract, amendingOf),
  row(amendWaiting, amendingOf),
  row(revokeWaiting, null),
  row(addRecurring, ({ code }) => ({ ...placingOf({ code, side: 'buy' }), hasBreaks: true })),
  row(addRenewal, () => ({ ...subscribingOf('regular'), hasBreaks: true })),
  row(addFromDeposits, ({ type }) => ({ ...subscribingOf(type), hasBreaks: true })),
  row(subscribeEarning, ({ type }) => subscribingOf(type)),
  row(quoteSubscription, ({ type }) => ({ pauses: earningOf(type) })),
  row(quoteWithdrawal, withdrawalOf),
  row(requestWithdrawal, withdrawalOf),
  // Stops only new orders: a transfer that was already sent is still looked up, and its slip accepted.
  row(submitDeposit, ({ channel: name, id, hash }) =>
    id === undefined && hash === undefined ? { pauses: [product('deposits'), channel(name)], hasBreaks: true } : {},
  ),
  row(drawBox, STOPS_AT_BREAKS),
  row(addAlert, STOPS_AT_BREAKS),
  row(fundDemo, STOPS_AT_BREAKS),
  // Somebody who stopped themselves does not go on with play money.
  row(askPractice, STOPS_AT_BREAKS),
  row(sendTestDeposit, STOPS_AT_BREAKS),
  row(signInDaily, null),
  row(voidOption, null),
  row(redeemLiquidity, null),
  row(revokeContract, null),
  row(revokeContracts, null),
  row(cancelWithdrawal, null),
  row(matchDeposit, null),
  row(approveWithdrawal, null),
  row(rejectWithdrawal, null),
  row(approveCorrection, null),
]);

type JobDependencies = Pick<BeginningsDependencies, 'pauses' | 'consents' | 'isOffered'>;

/** Why a job may not begin something for a customer now. Breaks and freezes are checked under the ledger's lock. */
async function stopOfJob(
  { pauses, consents, isOffered }: JobDependencies,
  { pauses: paused = [], consent }: Reasons & { readonly consent: ConsentProduct },
  customer: bigint,
  now: Date,
  cover: CoinCover | null,
) {
  const decided = decideBeginning({
    // Nobody reads the reason: the record has the refusal's code.
    pause: await pauses.reasonOf(paused, 'en'),
    ownBreak: null,
    cover,
    unconsented: !isOffered(consent) || (await consents.mayOrder(customer, consent, now)) ? null : consent,
  });
  return decided.ok ? null : decided;
}

/** Says why a regular purchase may not be made now. */
export const stopOfPurchase = async (
  dependencies: JobDependencies & Pick<BeginningsDependencies, 'coverOf'>,
  customer: bigint,
  code: CoinCode,
  now: Date,
): Promise<Refusing<string> | null> => {
  const reasons = { ...placingOf({ code, side: 'buy' }), consent: 'contracts' as const };
  return stopOfJob(dependencies, reasons, customer, now, await dependencies.coverOf(code, now));
};

/** Says why a standing order of earning may not subscribe now. */
export const stopOfSubscription = (
  dependencies: JobDependencies,
  customer: bigint,
  type: 'liquidity' | 'regular',
  now: Date,
): Promise<Refusing<string> | null> =>
  stopOfJob(dependencies, { ...subscribingOf(type), consent: 'earning' }, customer, now, null);

type OwnBreak = Refusing<'self_excluded' | 'time_out'> | null;

export interface BeginningsDependencies {
  readonly pauses: Pauses;
  readonly consents: Consents;
  /** Consent is not required for a product that is not offered. */
  readonly isOffered: (product: ConsentProduct) => boolean;
  readonly coverOf: ReadCoinCover;
  readonly breakOf: (customer: bigint) => Promise<Decision<never, 'self_excluded' | 'time_out'> | null>;
  /** True if this intent was posted before. Then its first answer is repeated, whatever was paused since. */
  readonly isPosted: (intent: string) => Promise<boolean>;
}

/** The reason of a pause, the customer's break, the cover of a coin to buy, and whether consent was given. */
type Answers = readonly [string | null, OwnBreak, CoinCover | null, boolean];

const isKnown = (asked: readonly unknown[]): asked is Answers => !asked.some((answer) => answer instanceof Promise);

/** Returns the module with a check before each call that has a row: may its customer begin this? */
export function guardBeginnings<Api>(
  module: Module<Api>,
  { pauses, consents, isOffered, coverOf, breakOf, isPosted }: BeginningsDependencies,
): Module<Api> {
  const handlers = module.handlers.map((handler): Handler => {
    const of = BEGINNING_RULES.get(handler.call);
    if (!of) return handler;
    return {
      ...handler,
      run(context) {
        const { request, customer, language, now, intent } = context as CallContext<Call>;
        const { pauses: paused = [], consent, buys, hasBreaks = false } = of(request as never);
        const asked = [
          paused.length === 0 ? null : pauses.reasonOf(paused, language),
          hasBreaks && customer !== null ? (breakOf(customer.id) as Promise<OwnBreak>) : null,
          buys === undefined ? null : coverOf(buys, now),
          !consent || customer === null || !isOffered(consent) || consents.mayOrder(customer.id, consent, now),
        ] as const;
        const decide = ([pause, ownBreak, cover, mayOrder]: Answers): ReturnType<Handler['run']> => {
          const unconsented = mayOrder ? null : (consent ?? null);
          const decided = decideBeginning({ pause, ownBreak, cover, unconsented });
          if (decided.ok) return handler.run(context);
          return isPosted(intent.id).then((isRepeated) => (isRepeated ? handler.run(context) : decided));
        };
        // Nearly always all answers are in memory, and promises would then cost more than the checks.
        return isKnown(asked) ? decide(asked) : Promise.all(asked).then(decide);
      },
    };
  });
  return { ...module, handlers };
}
