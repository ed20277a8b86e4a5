import { handInKept, type ResultOf } from '@sathorn/api';
import { readOptionTerms } from '@sathorn/proof';
import { accept, refuse } from '@sathorn/settlement';
import { translate } from '@sathorn/text/server';
import { systemElapsedMs } from '../../platform/clock.ts';
import { type Handler, handle, TokenBuckets } from '../../platform/edge/index.ts';
import type { CorrectionsDependencies } from './corrections.ts';
import { judgeKeptText, keptTermsOf } from './judge-kept-text.ts';
import { insertKeptRow, keptNumberText, openKeptCase } from './kept-store.ts';

/** Limit of texts per customer, because verifying each takes some milliseconds. A device stores hundreds at most. */
const LIMIT = { perSecond: 1, burst: 300 };
const HASH = 64;

type Refused = ResultOf<typeof handInKept>['refused'][number];
type Named = Pick<Refused, 'order' | 'hash'>;
type Why = Refused['why'];

export function handInKeptReceiptsHandler(module: CorrectionsDependencies): Handler {
  const { database } = module;
  const budget = new TokenBuckets(LIMIT, systemElapsedMs);
  return handle(handInKept, async ({ customer, request: { texts }, language }) => {
    if (budget.take(String(customer.id), texts.length) > 0) return refuse('too_many_requests');
    const [keys, restorations] = await Promise.all([module.keys(), module.restorations()]);
    const taken: ResultOf<typeof handInKept>['taken'] = [];
    const refused: ResultOf<typeof handInKept>['refused'] = [];
    let number: bigint | null = null;
    const refuseText = (named: Named, why: Why) =>
      refused.push({ ...named, why, text: translate(language, `refusal.${why}`) });
    for (const text of texts) {
      const { body, hash } = keptTermsOf(text);
      const named = { order: readOptionTerms(body)?.order ?? null, hash: hash.slice(0, HASH) };
      const judged = await judgeKeptText(module, customer.id, text, keys, restorations);
      if (!judged.ok) {
        refuseText(named, judged.refusal);
        continue;
      }
      const { restoration, ...row } = judged.effect;
      const opened = await openKeptCase(database, customer.id, restoration);
      number = opened.number;
      const isNew = await insertKeptRow(database, { ...row, case_id: opened.id });
      if (isNew) taken.push({ order: row.order_id, hash: row.hash });
      else refuseText(named, 'kept_already_taken');
    }
    return accept({ case: number === null ? null : keptNumberText(number), taken, refused });
  });
}
