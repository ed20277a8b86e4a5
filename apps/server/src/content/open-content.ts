import type { ContentKind, PriceOrigin, ProductState } from '@sathorn/api';
import type { Brand } from '@sathorn/brand';
import type { Database } from '../database/index.ts';
import { onAnyClock } from '../edge/index.ts';
import type { Module } from '../module.ts';
import { type DisplayRates, openLiveRates, openSimulatedRates, type RateSource } from './display-rates.ts';
import { listActivitiesHandler } from './list-activities.ts';
import { listRatesHandler } from './list-rates.ts';
import { listSlidesHandler } from './list-slides.ts';
import { listWinsHandler } from './list-wins.ts';
import { readActivityHandler } from './read-activity.ts';
import { readConfigHandler } from './read-config.ts';
import { readPageTextHandler } from './read-page-text.ts';
import { readRulesHandler } from './read-rules.ts';
import { openRules, RULES, type Rules, type RulesOf, type RulesParams } from './rules.ts';
import { keepRulesText, readRulesText } from './rules-store.ts';
import { openShelf, type Shelf, type Shown } from './shelf.ts';

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
  readonly rules: RulesParams;
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
  /** The current or former English text with this hash; undefined if it was never stored. */
  rulesUnder(of: RulesOf, hash: string): Promise<string | undefined>;
  /**
   * Stores the current texts, so that receipts can refer to them when they have been replaced. Called before anything
   * is sold.
   */
  keepRules(): Promise<void>;
  recentWins(now: Date): Promise<readonly RecentWin[]>;
  inviteCodeOf(customer: bigint): Promise<string | null>;
  readonly shelf: Shelf;
  /** What this customer or visitor may see of these kinds. With `over`, ended entries are included. */
  shownTo(customer: bigint | null, kinds: readonly ContentKind[], now: Date, over?: boolean): Promise<readonly Shown[]>;
}

/** A live deployment never shows simulated rates: until its source has answered once, there are none. */
export function openContent(dependencies: ContentDependencies): Module<Content> {
  const { brand, mode, prices, products, baseUrl, serviceUrl, recentWins, inviteCodeOf } = dependencies;
  const rules = openRules(brand, dependencies.rules);
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
    rulesUnder: async (of, hash) =>
      hash === rules.hash(of) ? rules.content(of, 'en') : readRulesText(dependencies.database, hash, of),
    async keepRules() {
      for (const of of RULES) await keepRulesText(dependencies.database, rules.hash(of), of, rules.content(of, 'en'));
    },
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
  };
}
