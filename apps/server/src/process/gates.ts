import {
  buyOption,
  type Call,
  type ConsentProduct,
  type ParsedRequestOf,
  placeContract,
  quoteSubscription,
  quoteWithdrawal,
  requestWithdrawal,
  submitDeposit,
  subscribeEarning,
} from '@sathorn/api';
import type { CoinCode } from '@sathorn/money';
import { type CoinCover, decideCover, refuse } from '@sathorn/settlement';
import type { CoinCovers } from '../exchange/contracts/index.ts';
import type { Consents } from '../people/consents/index.ts';
import type { CallContext, Handler } from '../platform/edge/index.ts';
import type { Module } from '../platform/module.ts';
import type { PauseSubject, Pauses } from '../staff/pauses/index.ts';

interface Gate {
  readonly subjects: readonly PauseSubject[];
  /** Consent comes before the first order; a quote needs none. */
  readonly consent: ConsentProduct | null;
  /** A coin that would be bought. */
  readonly buys?: CoinCode;
}
type Gates = ReadonlyMap<Call, (request: never) => Gate>;
const gate = <C extends Call>(call: C, of: (request: ParsedRequestOf<C>) => Gate) =>
  [call as Call, of as (request: never) => Gate] as const;

const product = (subject: string): PauseSubject => ({ kind: 'product', subject });
const coin = (subject: string): PauseSubject => ({ kind: 'coin', subject });
const channel = (subject: string): PauseSubject => ({ kind: 'channel', subject });
const earningOf = (type: 'liquidity' | 'regular'): PauseSubject[] => [
  product(type === 'regular' ? 'lockup' : 'liquidity'),
];

/** What begins something new. Whatever exists goes on: it is settled, redeemed, revoked and shown as ever. */
const GATES: Gates = new Map([
  gate(buyOption, ({ code }) => ({ subjects: [product('options'), coin(code)], consent: 'options' })),
  gate(placeContract, ({ code, side }) => ({
    subjects: [product('contracts'), coin(code)],
    consent: 'contracts',
    ...(side === 'buy' && { buys: code }),
  })),
  gate(subscribeEarning, ({ type }) => ({ subjects: earningOf(type), consent: 'earning' })),
  gate(quoteSubscription, ({ type }) => ({ subjects: earningOf(type), consent: null })),
  gate(quoteWithdrawal, (request) => ({
    subjects: [product('withdrawals'), channel(request.channel)],
    consent: null,
  })),
  gate(requestWithdrawal, (request) => ({
    subjects: [product('withdrawals'), channel(request.channel)],
    consent: null,
  })),
  // A pause stops new orders only: a transfer that was already sent is still looked up, and its slip accepted.
  gate(submitDeposit, ({ channel: name, id, hash }) => ({
    subjects: id === undefined && hash === undefined ? [product('deposits'), channel(name)] : [],
    consent: null,
  })),
]);

export interface GatesDependencies {
  readonly pauses: Pauses;
  readonly consents: Consents;
  /** Nobody answers questions for what is not offered. */
  readonly isOffered: (product: ConsentProduct) => boolean;
  readonly coverOf: CoinCovers;
  /** Whether this intent was posted before: then its first answer is given again, whatever was paused since. */
  readonly isPosted: (intent: string) => Promise<boolean>;
}

/** The reason of a pause, whether there is consent, and the cover of a coin that is bought. */
type Answers = readonly [string | null, boolean, CoinCover | null];

const isKnown = (asked: readonly unknown[]): asked is Answers => !asked.some((answer) => answer instanceof Promise);

/** The module with pauses and consents before its calls. */
export function gated<Api>(
  module: Module<Api>,
  { pauses, consents, isOffered, coverOf, isPosted }: GatesDependencies,
): Module<Api> {
  const handlers = module.handlers.map((handler): Handler => {
    const of = GATES.get(handler.call);
    if (of === undefined) return handler;
    return {
      ...handler,
      run(context) {
        const { request, customer, language, now, intent } = context as CallContext<Call>;
        const { subjects, consent, buys } = of(request as never);
        const asked = [
          pauses.reasonOf(subjects, language),
          consent === null || customer === null || !isOffered(consent) || consents.mayOrder(customer.id, consent, now),
          buys === undefined ? null : coverOf(buys, now),
        ] as const;
        const decide = ([reason, mayOrder, cover]: Answers): ReturnType<Handler['run']> => {
          const covered = cover && decideCover('buy', cover);
          if (reason === null && mayOrder && covered?.ok !== false) return handler.run(context);
          return isPosted(intent.id).then((isRepeated) => {
            if (isRepeated) return handler.run(context);
            if (reason !== null) return refuse('paused', { params: { text: reason } });
            return covered?.ok === false ? covered : refuse('consent_required', { params: { product: consent ?? '' } });
          });
        };
        // Nearly always all is in memory, and then a promise for each gate would cost more than the gates.
        return isKnown(asked) ? decide(asked) : Promise.all(asked).then(decide);
      },
    };
  });
  return { ...module, handlers };
}
