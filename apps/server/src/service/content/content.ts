import type { ContentKind, PriceOrigin, ProductState, ResultOf, readRules } from '@sathorn/api';
import type { Brand } from '@sathorn/brand';
import type { Language } from '@sathorn/text';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { ContentShelf, ShelfEntry } from './content-shelf.ts';
import type { DisplayRates, RateSource } from './display-rates.ts';
import type { Rules, RulesParams, RulesSubject, RulesWithoutParams } from './rules.ts';

/** A win that its customer agreed to show. The name is masked here, before it leaves the server. */
interface RecentWin {
  readonly name: string;
  readonly coin: string;
  /** An amount of USDT, as a decimal string. */
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
  /** The page of the brand's own customer service; null if customers write to us. */
  readonly serviceUrl: string | null;
  /** The origins of the practice platform, and of the real one on a practice platform; null for none. */
  readonly practiceUrl?: string | null;
  readonly practiceOf?: string | null;
  /** The values that the rules state, from the software and from the offer in force. */
  readonly rules: () => RulesParams | Promise<RulesParams>;
  /** Opened earlier because products name the rules; by default this module opens its own. */
  readonly rulesTexts?: RulesWithoutParams;
  readonly clock: Pick<Clock, 'now'>;
  readonly onFault: (error: unknown) => void;
  /** Real wins of the last days, newest first, from the ledger. */
  readonly recentWins: (now: Date) => Promise<readonly RecentWin[]>;
  /** The customer's invitation code; null if the customer may not invite. */
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
  readonly practiceUrl: string | null;
  readonly practiceOf: string | null;
  readonly rates: DisplayRates;
  readonly rules: Rules;
  /** The text in force in this language, and the next one that is announced. */
  shownRules(of: RulesSubject, language: Language): Omit<ResultOf<typeof readRules>, 'hash'>;
  /** The current or former English text with this hash; undefined if it was never stored. */
  rulesUnder(of: RulesSubject, hash: string): Promise<string | undefined>;
  recentWins(now: Date): Promise<readonly RecentWin[]>;
  inviteCodeOf(customer: bigint): Promise<string | null>;
  readonly shelf: ContentShelf;
  /** The entries of these kinds that this customer or visitor may see. With `over`, ended entries are included. */
  shownTo(
    customer: bigint | null,
    kinds: readonly ContentKind[],
    now: Date,
    over?: boolean,
  ): Promise<readonly ShelfEntry[]>;
}
