import { setTimeout as pause } from 'node:timers/promises';
import { allowOnAnyClock } from '../../platform/edge/index.ts';
import type { Module } from '../../platform/module.ts';
import { contentCalls } from './calls.ts';
import type { Content, ContentDependencies } from './content.ts';
import { openContentShelf } from './content-shelf.ts';
import { openLiveRates, openSimulatedRates } from './display-rates.ts';
import { listSlidesHandler } from './list-slides.ts';
import { listWinsHandler } from './list-wins.ts';
import { readActivityHandler } from './read-activity.ts';
import { readConfigHandler } from './read-config.ts';
import { readPageTextHandler } from './read-page-text.ts';
import { openRules } from './rules.ts';
import { readRulesText } from './rules-store.ts';
import { shownRulesOf } from './shown-rules.ts';

/** How often the rules are read again. New texts are announced a day ahead, but the offer may change at any time. */
const RULES_EVERY_MS = 5_000;

/** A live deployment never shows simulated rates: before its source has answered once, it shows none. */
export function openContent(dependencies: ContentDependencies): Module<Content> {
  const { brand, mode, prices, products, baseUrl, serviceUrl, recentWins, inviteCodeOf } = dependencies;
  const { database, clock, onFault } = dependencies;
  const rules = openRules({ database, brand, clock, params: dependencies.rules }, dependencies.rulesTexts);
  const shelf = openContentShelf(dependencies.database, brand);
  const api: Content = {
    brand,
    mode,
    prices,
    products,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    serviceUrl,
    practiceUrl: dependencies.practiceUrl ?? null,
    practiceOf: dependencies.practiceOf ?? null,
    rates:
      mode === 'demo' ? openSimulatedRates() : openLiveRates(dependencies.database, dependencies.rateSource ?? null),
    rules,
    shownRules: (of, language) => shownRulesOf(rules, brand, of, language),
    rulesUnder: async (of, hash) =>
      hash === rules.hash(of) ? rules.content(of, 'en') : readRulesText(dependencies.database, hash, of),
    recentWins,
    inviteCodeOf,
    shelf,
    shownTo: async (customer, kinds, now, over) => {
      const shown = await shelf.of(kinds, now, over);
      // Looks up the level only if some entry is shown to one level only.
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
    handlers: allowOnAnyClock(
      readConfigHandler(api),
      listSlidesHandler(api),
      ...contentCalls(api),
      readActivityHandler(api),
      readPageTextHandler(api),
      listWinsHandler(api),
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
