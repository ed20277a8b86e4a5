import type { WithdrawalRecord } from '@sathorn/api';

export type StepKey = 'held' | 'delay' | 'check' | 'sent' | 'arrived' | 'stopped' | 'returned';
type State = 'done' | 'now' | 'todo' | 'failed';

interface PathStep {
  readonly key: StepKey;
  readonly state: State;
  /** The index of this approval among several, from 0. */
  readonly nth?: number;
}

const APPROVED: ReadonlySet<string> = new Set(['approved', 'sending', 'sent_unknown', 'confirming']);

/** Returns a withdrawal's steps: past, current and future ones, or where it stopped. */
export function withdrawalPath(record: WithdrawalRecord): PathStep[] {
  const { step, status, people, approvals } = record;
  const isFailed = status === 'failed';
  const wasSent = record.sent_at !== null || step === 'done';
  const isApproved = wasSent || APPROVED.has(step);
  const path: PathStep[] = [{ key: 'held', state: 'done' }];
  // After a restoration the end of the delay is unknown.
  const isDelayed = step === 'delayed' || record.delay_reason === 'restoration';
  if (isDelayed || (record.delayed_until !== null && !isFailed))
    path.push({ key: 'delay', state: isDelayed ? 'now' : 'done' });
  for (let nth = 0; nth < people; nth += 1) {
    const isDone = isApproved || nth < approvals.length;
    // Omits approvals that operators had not given when it stopped.
    if (isFailed && !isDone) continue;
    const isNow = !isDone && nth === approvals.length && step !== 'delayed';
    path.push({ key: 'check', nth, state: isDone ? 'done' : isNow ? 'now' : 'todo' });
  }
  if (isFailed) {
    if (wasSent) path.push({ key: 'sent', state: 'done' });
    path.push({ key: 'stopped', state: 'failed' }, { key: 'returned', state: 'done' });
    return path;
  }
  const isOut = step === 'confirming' || step === 'done';
  path.push({ key: 'sent', state: isOut ? 'done' : isApproved ? 'now' : 'todo' });
  path.push({ key: 'arrived', state: step === 'done' ? 'done' : isOut ? 'now' : 'todo' });
  return path;
}
