import type { User } from '@sathorn/api';
import { useNavigation } from '@sathorn/app/navigation';
import { Button, Card, Icon, useText } from '@sathorn/ui';
import { MoneyNote } from '../parts/money/note.tsx';
import { PageFoot } from '../parts/money/page-foot.tsx';
import { Timeline } from '../parts/money/timeline.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';

/** Shows what the customer has done and must still do before a withdrawal: set a payment password, and add a payee. */
export function WithdrawalNotReady({
  kind,
  user,
  hasPayee,
  onAdd,
}: {
  kind: 'wallet' | 'card';
  user: Pick<User, 'balance' | 'has_paypass'>;
  hasPayee: boolean;
  onAdd: () => void;
}) {
  const { t } = useText<'money' | 'withdrawals'>();
  const { navigate } = useNavigation();
  const { usdt } = useMoneyFormats();
  const hasPaypass = user.has_paypass;
  return (
    <>
      <div className="page">
        <Card className="withdraw-ready">
          <span className="withdraw-ready-icon">
            <Icon name={hasPaypass && kind === 'card' ? 'card' : hasPaypass ? 'wallet' : 'key'} size={30} />
          </span>
          <h2>{t(hasPaypass || hasPayee ? 'withdrawal.ready.one' : 'withdrawal.ready.two')}</h2>
          {Number(user.balance) > 0 && <p>{t('withdrawal.ready.then', { amount: usdt(user.balance) })}</p>}
        </Card>
        <Card>
          <Timeline
            steps={[
              {
                key: 'paypass',
                state: hasPaypass ? 'done' : 'now',
                icon: 'key',
                title: t(hasPaypass ? 'withdrawal.ready.paypass' : 'withdrawal.no_paypass'),
                note: t('withdrawal.no_paypass_lead'),
              },
              {
                key: 'payee',
                state: hasPayee ? 'done' : hasPaypass ? 'now' : 'todo',
                icon: kind,
                title: t('withdrawal.ready.payee'),
                note: t(`withdrawal.ready.${kind}`),
              },
            ]}
          />
        </Card>
        {!hasPayee && <MoneyNote icon="clock">{t('withdrawal.ready.wait')}</MoneyNote>}
      </div>
      <PageFoot>
        {!hasPaypass && (
          <Button onClick={() => navigate('/pages/mine/setting/paypass')}>{t('setting.set_paypass')}</Button>
        )}
        {!hasPayee && (
          <Button look={hasPaypass ? 'brand' : 'soft'} onClick={onAdd}>
            {t(`withdrawal.add.${kind}`)}
          </Button>
        )}
      </PageFoot>
    </>
  );
}
