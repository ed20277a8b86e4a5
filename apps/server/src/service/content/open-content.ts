import { setTimeout as pause } from 'node:timers/promises';
import type { ContentKind, PriceOrigin, ProductState, ResultOf, readRules } from '@sathorn/api';
import type { Brand } from '@sathorn/brand';
import type { Language } from '@sathorn/text';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { onAnyClock } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import { type DisplayRates, openLiveRates, openSimulatedRates, type RateSource } from './display-rates.ts';
import { listActivitiesHandler } from './list-activities.ts';
import { listRatesHandler } from './list-rates.ts';
import { listSlidesHandler } from './list-slides.ts';
import { listWinsHandler } from './list-wins.ts';
import { readActivityHandler } from './read-activity.ts';
import { readConfigHandler } from './read-config.ts';
import { readPageTextHandler } from './read-page-text.ts';
import { readRulesHandler } from './read-rules.ts';
import { openRules, type Rules, type RulesOf, type RulesParams } from './rules.ts';
import { noteOf } from './rules-note.ts';
import { readRulesText } from './rules-store.ts';
import { openShelf, type Shelf, type Shown } from './shelf.ts';

/** How often the rules are read again. New texts are announced a day ahead, but the offer may change at any time. */
const RULES_EVERY_MS = 5_000;

/** A win that its customer agreed to show. The name is masked here, before it leaves the server. */
export interface RecentWin {
  readonly name: string;
  readonly coin: string;
  /** Decimal string, USDT. */
  readonly amount: string;
  readonly at: Date;
}

export interface ContentDependencies {
  readonly database: Database;
  readonly brand: Brand;
  readonly mode: 'demo' | 'live';
  readonly prices: PriceOrigin;
  readonly products: { readonly options: ProductState };
  /** Base URL of the deployment, without a trailing slash. */
  readonly baseUrl: string;
  /** The page of the brand's own customer service; null for our conversation. */
  readonly serviceUrl: string | null;
  /** What the rules state: of the software, and of the offer in force. */
  readonly rules: () => RulesParams | Promise<RulesParams>;
  readonly clock: Pick<Clock, 'now'>;
  readonly onFault: (error: unknown) => void;
  /** Real wins of the last days, newest first, from the ledger. */
  readonly recentWins: (now: Date) => Promise<readonly RecentWin[]>;
  /** The customer's invitation code; null when the account may not invite. */
  readonly inviteCodeOf: (customer: bigint) => Promise<string | null>;
  readonly levelOf: (customer: bigint) => Promise<number>;
  readonly rateSource?: RateSource | null;
}

export interface Content {
  readonly brand: Brand;
  readonly mode: 'demo' | 'live';
  readonly prices: PriceOrigin;
  readonly products: { readonly options: ProductState };
  readonly baseUrl: string;
  readonly serviceUrl: string | null;
  readonly rates: DisplayRates;
  readonly rules: Rules;
  /** The text in force in this language, and the one that is announced. */
  shownRules(of: RulesOf, language: Language): Omit<ResultOf<typeof readRules>, 'hash'>;
  /** The current or former English text with this hash; undefined if it was never stored. */
  rulesUnder(of: RulesOf, hash: string): Promise<string | undefined>;
  recentWins(now: Date): Promise<readonly RecentWin[]>;
  inviteCodeOf(customer: bigint): Promise<string | null>;
  readonly shelf: Shelf;
  /** What this customer or visitor may see of these kinds. With `over`, ended entries are included. */
  shownTo(customer: bigint | null, kinds: readonly ContentKind[], now: Date, over?: boolean): Promise<readonly Shown[]>;
}

/** A live deployment never shows simulated rates: until its source has answered once, there are none. */
export function openContent(dependencies: ContentDependencies): Module<Content> {
  const { brand, mode, prices, products, baseUrl, serviceUrl, recentWins, inviteCodeOf } = dependencies;
  const { database, clock, onFault } = dependencies;
  const rules = openRules({ database, brand, clock, params: dependencies.rules });
  const shelf = openShelf(dependencies.database, brand);
  const api: Content = {
    brand,
    mode,
    prices,
    products,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    serviceUrl,
    rates:
      mode === 'demo' ? openSimulatedRates() : openLiveRates(dependencies.database, dependencies.rateSource ?? null),
    rules,
    shownRules(of, language) {
      const next = rules.upcoming(of);
      return {
        content: rules.content(of, language),
        next: next && {
          from: next.from.toISOString(),
          note: noteOf(next, language, brand.timeZone),
          content: next.content(language),
        },
      };
    },
    rulesUnder: async (of, hash) =>
      hash === rules.hash(of) ? rules.content(of, 'en') : readRulesText(dependencies.database, hash, of),
    recentWins,
    inviteCodeOf,
    shelf,
    shownTo: async (customer, kinds, now, over) => {
      const shown = await shelf.of(kinds, now, over);
      // The level is looked up only if something is shown to one level only.
      const isForSome = customer !== null && shown.some(({ audience }) => audience.to === 'level');
      const level = isForSome ? await dependencies.levelOf(customer) : null;
      return shown.filter(({ audience }) => {
        if (audience.to === 'all') return true;
        return audience.to === 'level' ? audience.level === level : audience.customer === customer;
      });
    },
  };
  return {
    api,
    handlers: onAnyClock(
      readConfigHandler(api),
      listSlidesHandler(api),
      listActivitiesHandler(api),
      readActivityHandler(api),
      readPageTextHandler(api),
      listWinsHandler(api),
      listRatesHandler(api),
      readRulesHandler(api),
    ),
    jobs: [
      {
        on: 'every process',
        async run(signal) {
          while (!signal.aborted) {
            await rules.refresh().catch(onFault);
            await pause(RULES_EVERY_MS, undefined, { signal }).catch(() => undefined);
          }
        },
      },
    ],
  };
}
