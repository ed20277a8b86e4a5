import type { WithdrawalRecord } from '@sathorn/api';
import { figureSeparator } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import type { TimelineStep } from '../parts/money/timeline.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { type StepKey, withdrawalPath } from './withdrawal-path.ts';

const ICONS: Partial<Record<StepKey, TimelineStep['icon']>> = {
  check: 'eye',
  sent: 'arrow-up',
  delay: 'clock',
};

/** The steps of a withdrawal in words. */
export function useWithdrawalSteps(record: WithdrawalRecord): TimelineStep[] {
  const { t, presentation } = useText<'money' | 'withdrawals'>();
  const { second, moment, usdt, block } = useMoneyFormats();
  const isBank = record.payee.kind === 'card';
  const confirmations = (state: TimelineStep['state']): string => {
    const needed = record.confirmations_needed ?? 0;
    if (state !== 'now') return t('deposit.confirmations_count', { count: needed });
    const count = Math.min(record.confirmations ?? 0, needed);
    return t('deposit.confirmed_of', { count: block(String(count)), needed: block(String(needed)) });
  };
  const sentNote = (state: TimelineStep['state']): string | undefined => {
    const separator = figureSeparator(presentation);
    const names = record.signed_by.map(({ by }) => by).join(separator);
    const known = [
      ...(names === '' ? [] : [t('withdrawal.line.signed_by', { names })]),
      ...(record.block_height === null ? [] : [t('deposit.block', { height: block(record.block_height) })]),
    ];
    if (known.length > 0) return known.join(separator);
    if (record.is_run && state === 'now') return t('withdrawal.line.signing');
    // Only a payment on a chain gets a hash.
    const willHaveHash = state === 'todo' && !isBank && !record.is_internal;
    return willHaveHash ? t('withdrawal.line.hash_comes') : undefined;
  };
  return withdrawalPath(record).map(({ key, state, nth }): TimelineStep => {
    const icon = ICONS[key];
    const base = { key: `${key} ${nth ?? ''}`, state, ...(icon ? { icon } : {}) };
    switch (key) {
      case 'held':
        return {
          ...base,
          title: t('withdrawal.line.held'),
          time: second(record.created_at),
          note: usdt(record.amount),
        };
      case 'delay':
        return {
          ...base,
          title: t('withdrawal.line.delay'),
          time: record.delayed_until ? moment(record.delayed_until) : undefined,
          note: t(`withdrawal.delay.${record.delay_reason ?? 'new_payee'}`),
        };
      case 'check': {
        const vote = record.approvals[nth ?? 0];
        return {
          ...base,
          title: t(`withdrawal.line.${record.people === 1 ? 'check' : nth === 0 ? 'first' : 'second'}`),
          time: vote ? second(vote.at) : undefined,
          note: vote
            ? t('withdrawal.line.approved_by', { name: vote.by, role: t(roleKey(vote.role)) })
            : state === 'now' && nth === 1
              ? t('withdrawal.line.another_person')
              : undefined,
        };
      }
      case 'sent':
        return {
          ...base,
          title: t(isBank ? 'withdrawal.line.sent_bank' : 'withdrawal.line.sent'),
          time: record.sent_at ? second(record.sent_at) : undefined,
          note: sentNote(state),
        };
      case 'arrived':
        return {
          ...base,
          title: t('withdrawal.line.arrived'),
          time: state === 'done' && record.finished_at ? second(record.finished_at) : undefined,
          note: isBank || record.is_internal || record.confirmations_needed === null ? undefined : confirmations(state),
        };
      case 'stopped':
        return {
          ...base,
          title: t(record.reason === 'cancelled' ? 'withdrawal.line.cancelled' : 'withdrawal.line.declined'),
        };
      default:
        return {
          ...base,
          title: t('withdrawal.line.returned'),
          time: record.finished_at ? second(record.finished_at) : undefined,
          note: usdt(record.amount),
        };
    }
  });
}

const ROLES = ['support', 'compliance', 'finance', 'content', 'admin'] as const;
function roleKey(role: string): `money.role.${(typeof ROLES)[number] | 'staff'}` {
  const known = ROLES.find((name) => name === role);
  return `money.role.${known ?? 'staff'}`;
}
