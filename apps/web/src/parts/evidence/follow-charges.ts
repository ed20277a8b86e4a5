import { placeContract, type ResultOf, readContract, readContractTerms, readUser } from '@sathorn/api';
import { callServer, type HeardAnswer } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import { feesAtLevel } from '@sathorn/settlement';
import * as v from 'valibot';
import { reportFindings } from './evidence-findings.ts';
import { isFeeAbove, isRateAbove } from './judge-charges.ts';

type Fees = ResultOf<typeof readContractTerms>['fees'];

/** The terms that this visit showed last, by coin. */
const shown = new Map<string, Fees>();

/** The session keeps the customer's last known account. */
function rememberedLevel(): number | undefined {
  const user = v.safeParse(v.object({ vip_level: v.number() }), useSession.getState().user);
  return user.success ? user.output.vip_level : undefined;
}

/** True if an order's rates are above the published ones: those shown before it, and those of now. */
async function hasRateAbove(placed: ResultOf<typeof placeContract>): Promise<boolean> {
  const before = feesAtLevel(shown.get(placed.code), rememberedLevel());
  if (before === undefined || !isRateAbove(placed, before)) return false;
  // The terms or the level may just have changed.
  const [terms, user] = [await callServer(readContractTerms, { code: placed.code }), await callServer(readUser, {})];
  const now = terms.ok && user.ok ? feesAtLevel(terms.data.fees, user.data.vip_level) : undefined;
  return now !== undefined && isRateAbove(placed, now);
}

/** Compares what contract orders cost with what the platform publishes, and fills with their orders. */
export async function followCharges({ route, data }: HeardAnswer): Promise<void> {
  const found = (id: string, fault: 'rate' | 'fee'): Promise<void> =>
    reportFindings([{ kind: 'charge', id, fault, foundAt: Date.now() }]);
  if (route === 'GET /coin/trans/rate') {
    const terms = v.safeParse(readContractTerms.result, data);
    if (terms.success) shown.set(terms.output.code, terms.output.fees);
  }
  if (route === 'POST /coin/trans/add') {
    const placed = v.safeParse(placeContract.result, data);
    if (placed.success && (await hasRateAbove(placed.output))) await found(placed.output.id, 'rate');
  }
  if (route === 'GET /coin/trans/info') {
    const order = v.safeParse(readContract.result, data);
    if (order.success && order.output.fills.some((fill) => isFeeAbove(fill, order.output)))
      await found(order.output.id, 'fee');
  }
}
