import type { CustomerLimits } from '../limits/customer-limits.ts';
import type { LimitState } from '../limits/rate-limit.ts';
import type { LimitedSubject } from '../limits/stored-rate-limiter.ts';
import type { ContactKind } from '../names/contact.ts';
import type { CodePurpose } from './code-store.ts';

/** The budget: `all` for all codes of a kind, or the smaller `sign_up`, which leaves the rest to existing customers. */
type CodeBudgetPart = 'all' | 'sign_up';
export interface CodeBudgetAlarm {
  readonly alarm: 'codes_spent';
  readonly kind: ContactKind;
  readonly part: CodeBudgetPart;
  readonly percent: number;
  readonly max: number;
}

/** Raises an alarm when this share of a day's budget is spent. */
const ALARM_PERCENTS = [50, 80, 100] as const;

export const CODE_BUDGETS = (['phone', 'email'] as const).flatMap((kind) =>
  (['all', 'sign_up'] as const).map((part) => ({ kind, part })),
);

export interface CodeBudget {
  /**
   * The limits that a code counts against. A code that is prepared but not sent is not counted. It is still refused
   * when the budget is spent, so that the answer reveals nothing.
   */
  limitsOf(kind: ContactKind, purpose: CodePurpose, isForSomebody: boolean): LimitedSubject[];
  /** Raises the alarms for the codes that were counted. Call it after the commit. */
  raiseAlarms(): void;
  /** The spent share of the budget from 0 to 1, as far as this process knows. */
  spent(kind: ContactKind, part: CodeBudgetPart, now: Date): number;
}

/**
 * Limits how many codes the whole platform sends per day: each costs money, and a flood from many networks stays within
 * every other limit.
 */
export function openCodeBudget(limits: CustomerLimits, onAlarm: (alarm: CodeBudgetAlarm) => void): CodeBudget {
  const seen = new Map<string, LimitState>();
  let alarms: CodeBudgetAlarm[] = [];

  const limitFor = (part: CodeBudgetPart) => (part === 'all' ? limits.codesInAll : limits.codesToSignUp);

  const limitOf = (kind: ContactKind, part: CodeBudgetPart, isCounted: boolean): LimitedSubject => {
    const limit = limitFor(part);
    return {
      subject: part === 'all' ? ['code.all', kind] : ['code.all', kind, part],
      limit,
      isCounted,
      onCounted: (state) => {
        seen.set(`${kind} ${part}`, state);
        const [percent] = ALARM_PERCENTS.filter((share) => state.count === Math.ceil((limit.max * share) / 100));
        if (percent !== undefined) alarms.push({ alarm: 'codes_spent', kind, part, percent, max: limit.max });
      },
    };
  };

  return {
    limitsOf: (kind, purpose, isForSomebody) => [
      limitOf(kind, 'all', isForSomebody),
      ...(purpose === 'register' ? [limitOf(kind, 'sign_up', isForSomebody)] : []),
    ],
    raiseAlarms: () => {
      const raised = alarms;
      alarms = [];
      for (const alarm of raised) onAlarm(alarm);
    },
    spent: (kind, part, now) => {
      const state = seen.get(`${kind} ${part}`);
      const limit = limitFor(part);
      return state === undefined || now.getTime() - state.since.getTime() >= limit.windowMs
        ? 0
        : state.count / limit.max;
    },
  };
}
