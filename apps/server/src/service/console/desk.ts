import type { DeskState } from '@sathorn/api';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { viewClaim } from '../../staff/operators/index.ts';
import type { ConsoleModule, StaffQueue } from './console.ts';
import { hasRole } from './has-role.ts';

/** Many desks are read each second. The part that all of them share is read once in this time. */
const SHARED_MS = 900;

type Waiting = Awaited<ReturnType<StaffQueue['read']>> & Pick<StaffQueue, 'kind' | 'roles'>;

const viewQueue = ({ kind, waiting, overdue, oldestAt, dueAt }: Omit<Waiting, 'roles'>) => ({
  kind,
  waiting,
  overdue,
  oldest_at: oldestAt?.toISOString() ?? null,
  due_at: dueAt?.toISOString() ?? null,
});

/** Operators who may decide approvals see how many wait for them. */
const canSeeApprovals = (operator: OperatorSession): boolean => hasRole(operator, 'compliance', 'finance', 'admin');

/** The work that waits for an operator, by the queues that their roles may open. */
export async function visibleQueuesOf(
  { operators }: Pick<ConsoleModule, 'operators'>,
  waiting: readonly Waiting[],
  operator: OperatorSession,
): Promise<DeskState['queues']> {
  const approvals = canSeeApprovals(operator) ? (await operators.countApprovals(operator)).waiting : null;
  return [
    ...(approvals === null
      ? []
      : [viewQueue({ kind: 'approval', waiting: approvals, overdue: 0, oldestAt: null, dueAt: null })]),
    ...waiting
      .filter(({ roles }) => hasRole(operator, ...roles))
      .filter(({ kind }, place, own) => own.findIndex((one) => one.kind === kind) === place)
      .map(viewQueue),
  ];
}

export function readQueues({ queues }: Pick<ConsoleModule, 'queues'>, now: Date): Promise<Waiting[]> {
  return Promise.all(queues.map(async ({ kind, roles, read }) => ({ kind, roles, ...(await read(now)) })));
}

/** Reads the desk's state, shared by all operators who read it at the same time. */
export function openDeskState(
  module: Pick<ConsoleModule, 'operators' | 'queues'>,
  clock: { now(): Date },
): (operator: OperatorSession) => Promise<DeskState> {
  const { operators } = module;
  let shared: {
    readonly atMs: number;
    readonly state: Promise<{ waiting: Waiting[]; log: string; claims: DeskState['claims'] }>;
  } | null = null;
  const read = async (now: Date) => {
    const [waiting, { n }, claims] = await Promise.all([
      readQueues(module, now),
      operators.logHead(),
      operators.claims(now),
    ]);
    const shown = claims.map((row) => ({ kind: row.kind, id: row.subject, ...viewClaim(row) }));
    return { waiting, log: String(n), claims: shown };
  };
  return async (operator) => {
    if (shared === null || performance.now() - shared.atMs > SHARED_MS) {
      const state = read(clock.now());
      // A fault is reported to the callers that wait for this read, so it needs no handling here.
      state.catch(() => {
        shared = null;
      });
      shared = { atMs: performance.now(), state };
    }
    const { waiting, log, claims } = await shared.state;
    return { log, claims, queues: await visibleQueuesOf(module, waiting, operator) };
  };
}
