import { answerRealityCheck, type RealityCheck as Check, countMinute } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { durationText, formatAsset } from '@sathorn/text';
import { Confirm, FactList, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { onChange } from './own-limits-changed.ts';
import { SafeguardTexts } from './safeguard-texts.tsx';

const MINUTE_MS = 60_000;

/** Counts the minutes in which the app is in front, for customers who asked for it, and shows their reality check. */
export default function RealityCheck() {
  const token = useSession((session) => session.token);
  return token === null ? null : (
    <SafeguardTexts>
      <Counting key={token} />
    </SafeguardTexts>
  );
}

function Counting() {
  const { t, presentation } = useText<'safeguards'>();
  const { navigate } = useNavigation();
  const [check, setCheck] = useState<Check | null>(null);
  const [isCounting, setCounting] = useState(true);
  useEffect(() => onChange(() => setCounting(true)), []);
  useEffect(() => {
    if (!isCounting) return;
    const count = async () => {
      if (document.visibilityState !== 'visible') return;
      const answer = await callServer(countMinute, {});
      if (!answer.ok) return;
      setCounting(answer.data.counts);
      if (answer.data.check) setCheck(answer.data.check);
    };
    void count();
    const timer = setInterval(() => void count(), MINUTE_MS);
    return () => clearInterval(timer);
  }, [isCounting]);
  const close = () => {
    setCheck(null);
    void callServer(answerRealityCheck, {});
  };
  const time = (minutes: number) => durationText(minutes * 60, presentation);
  const usdt = (amount: string, signed: boolean) =>
    formatAsset(amount, 'USDT', presentation, { minDecimals: 2, maxDecimals: 2, signed });
  return (
    <Confirm
      open={check !== null}
      title={t('reality.title')}
      confirmLabel={t('reality.go_on')}
      cancelLabel={t('reality.break')}
      onConfirm={close}
      onCancel={() => {
        close();
        navigate('/pages/mine/limits');
      }}
    >
      {check && (
        <FactList
          facts={[
            { name: t('reality.time'), value: time(check.minutes) },
            { name: t('reality.time_today'), value: time(check.minutes_today) },
            { name: t('reality.staked'), value: usdt(check.staked, false) },
            { name: t('reality.result'), value: usdt(check.result, true) },
          ]}
        />
      )}
    </Confirm>
  );
}
