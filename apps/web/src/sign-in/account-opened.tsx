import { finishOwnPasskey, fundDemo, readBalance, readUser, startOwnPasskey } from '@sathorn/api';
import { failureText, rereadCalls, useCall } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { PageBar, showToast } from '@sathorn/app/shell';
import { formatAsset } from '@sathorn/text';
import { Button, Card, CardHead, Icon, useText } from '@sathorn/ui';
import { useEffect, useRef, useState } from 'react';
import { deviceName, hasPasskeySupport, makePasskey } from '../parts/forms/passkeys.ts';
import PracticeLink from '../parts/practice/practice-link.tsx';
import { useSystemConfig } from '../shell/config.ts';
import './account-opened.css';

interface AccountOpenedProps {
  /** The payment password that the customer has just chosen, which confirms a first passkey. */
  paypass: string;
  onDone: () => void;
}

const TEST_USDT = '10000';

/** The end of the sign-up, with offers to skip: a passkey, and in a demo test money and a guided first trade. */
export default function AccountOpened({ paypass, onDone }: AccountOpenedProps) {
  const { t } = useText<'opening'>();
  const isDemo = useSystemConfig()?.mode === 'demo';
  const name = useSession(({ user }) => (user as { username?: string } | null)?.username ?? '');
  const title = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone, so the title takes it.
  useEffect(() => title.current?.focus(), []);
  return (
    <>
      <PageBar title={t('screen.register')} />
      <div className="page">
        <Card className="opened">
          <span className="opened-mark">
            <Icon name="check" size={34} />
          </span>
          <h2 ref={title} tabIndex={-1}>
            {t('regist.done')}
          </h2>
          <p className="muted">{t('opening.lead', { name })}</p>
        </Card>
        {isDemo && <TestMoney />}
        {hasPasskeySupport() && <Passkey paypass={paypass} />}
        <PracticeLink />
        <Button look="plain" onClick={onDone}>
          {t('opening.go_on')}
        </Button>
      </div>
    </>
  );
}

function TestMoney() {
  const { t, presentation } = useText<'opening'>();
  const { redirect } = useNavigation();
  const fund = useCall(fundDemo);
  const start = async () => {
    const answer = await fund.submit({ asset: 'USDT', amount: TEST_USDT });
    if (!answer.ok) return;
    rereadCalls(readBalance, readUser);
    redirect('/pages/Option/Option', { led: 1 });
  };
  return (
    <Card className="stack">
      <CardHead title={t('opening.money', { amount: formatAsset(TEST_USDT, 'USDT', presentation) })} />
      <p className="muted">{t('opening.money_lead')}</p>
      <Button busy={fund.isBusy} onClick={start}>
        {t('opening.money_go')}
      </Button>
    </Card>
  );
}

function Passkey({ paypass }: { paypass: string }) {
  const { t } = useText<'opening'>();
  const texts = useText();
  const start = useCall(startOwnPasskey, { quiet: true });
  const finish = useCall(finishOwnPasskey);
  const [isAdded, setAdded] = useState(false);
  const add = async () => {
    const started = await start.submit({ paypass });
    if (!started.ok) return showToast(failureText(started, texts), 'danger');
    const credential = await makePasskey(started.data.options);
    if (credential === null) return showToast(t('opening.passkey_none'));
    const done = await finish.submit({ id: started.data.id, credential, name: deviceName() });
    if (done.ok) setAdded(true);
  };
  return (
    <Card className="stack">
      <CardHead title={t('opening.passkey')} trail={<Icon name="key" size={20} />} />
      {isAdded ? (
        <p className="opened-added" role="status">
          <Icon name="check" size={18} />
          {t('opening.passkey_done')}
        </p>
      ) : (
        <>
          <p className="muted">{t('opening.passkey_lead')}</p>
          <Button look="soft" busy={start.isBusy || finish.isBusy} onClick={add}>
            {t('opening.passkey_add')}
          </Button>
        </>
      )}
    </Card>
  );
}
