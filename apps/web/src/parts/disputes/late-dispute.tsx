import type { MONEY_SUBJECTS } from '@sathorn/api';
import { Late } from '@sathorn/app/late';

const load = () => import('./dispute-money.tsx');

/** Loads the dispute after its page. */
export function LateDispute({ kind, id }: { kind: (typeof MONEY_SUBJECTS)[number]; id: string }) {
  return <Late load={load}>{(DisputeMoney) => <DisputeMoney kind={kind} id={id} />}</Late>;
}
