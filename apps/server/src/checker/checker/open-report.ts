import type { Module } from '../../platform/module.ts';
import type { CheckerReport } from './checker.ts';
import { countViolations, moneyConditionOf } from './condition.ts';

/** Shows operators the checker's latest report, wherever the checker runs. */
export function openReport({ latest }: { readonly latest: () => CheckerReport | null }): Module<null> {
  return {
    api: null,
    handlers: [],
    metrics: [
      {
        name: 'sathorn_money_halted',
        help: 'Whether the ledger refuses every transfer: 1, otherwise 0.',
        read: () => (latest()?.halted ? 1 : 0),
      },
      {
        name: 'sathorn_violations',
        help: 'What the checker found that nobody has acknowledged.',
        read: () => countViolations(latest()),
      },
      {
        name: 'sathorn_violations_acknowledged',
        help: 'What it found that the owner has acknowledged.',
        read: () => latest()?.acknowledged ?? 0,
      },
      {
        name: 'sathorn_history_age_seconds',
        help: 'Since the checker last came to the end of all history; -1 before.',
        read: (now) => {
          const passed = latest()?.passed;
          return passed ? Math.round((now.getTime() - Date.parse(passed)) / 1_000) : -1;
        },
      },
      {
        name: 'sathorn_remembered_rows',
        help: 'Rows that the checker compares with what it once read.',
        read: () => latest()?.remembered?.rows ?? 0,
      },
      {
        name: 'sathorn_remembered_pass_seconds',
        help: 'How long it took to compare all of them; -1 before. Above 60 an edit may be found later than in a minute.',
        read: () => {
          const passMs = latest()?.remembered?.passMs;
          return passMs === undefined || passMs === null ? -1 : Math.round(passMs / 1_000);
        },
      },
    ],
    checks: [
      { name: 'money', state: (now) => moneyConditionOf(latest(), now) },
      { name: 'acknowledged', state: () => latest()?.acknowledged ?? 0 },
    ],
  };
}
