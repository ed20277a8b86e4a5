import type { RealityCheck as Check } from '@sathorn/api';
import { durationText, formatAsset } from '@sathorn/text';
import { Confirm, FactList, useText } from '@sathorn/ui';
import { SafeguardTexts } from './safeguard-texts.tsx';

export interface RealityQuestionProps {
  /** Null while the sheet slides away. */
  readonly check: Check | null;
  readonly onGoOn: () => void;
  readonly onBreak: () => void;
}

/** Shows the customer's results since the last reality check, and asks whether to continue. */
export default function RealityQuestion(props: RealityQuestionProps) {
  return (
    <SafeguardTexts>
      <Question {...props} />
    </SafeguardTexts>
  );
}

function Question({ check, onGoOn, onBreak }: RealityQuestionProps) {
  const { t, presentation } = useText<'safeguards'>();
  const time = (minutes: number) => durationText(minutes * 60, presentation);
  const usdt = (amount: string, signed: boolean) =>
    formatAsset(amount, 'USDT', presentation, { minDecimals: 2, maxDecimals: 2, signed });
  return (
    <Confirm
      open={check !== null}
      title={t('reality.title')}
      confirmLabel={t('reality.go_on')}
      cancelLabel={t('reality.break')}
      onConfirm={onGoOn}
      onCancel={onBreak}
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
