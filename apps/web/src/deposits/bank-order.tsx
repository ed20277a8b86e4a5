import { type DepositChannel, submitDeposit } from '@sathorn/api';
import { failureText, useCall } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { durationText, formatPercent } from '@sathorn/text';
import { AmountField, Button, Card, Chip, useText } from '@sathorn/ui';
import { type FormEvent, useState } from 'react';
import { compareDecimals, usdtFor } from '../parts/money/exchange.ts';
import { MoneyFacts } from '../parts/money/facts.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { useApplyRecordNews } from '../parts/money/use-records.ts';
import { PausedNote } from './paused-note.tsx';

const AMOUNTS = ['500', '1000', '5000', '10000'] as const;

/** The amount to pay by PromptPay or bank transfer, and the USDT that it buys at the current rate. */
export default function BankOrder({ channel }: { channel: DepositChannel }) {
  const { t, presentation } = useText<'money'>();
  const texts = useText();
  const { navigate } = useNavigation();
  const { usdt, fiat, rate, second } = useMoneyFormats();
  const [amount, setAmount] = useState('');
  const [isTried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<{ amount: string; sentence: string }>();
  const submit = useCall(submitDeposit, { quiet: true });
  const takeRecord = useApplyRecordNews();
  const currency = channel.rate?.currency ?? 'THB';
  const baht = (text: string) => fiat(text, currency);
  const estimate = channel.rate && amount !== '' ? usdtFor(amount, channel.rate.rate) : undefined;

  const fault =
    amount === ''
      ? isTried
        ? t('deposit.amount_missing')
        : undefined
      : compareDecimals(amount, channel.min) < 0
        ? t('deposit.amount_min', { min: baht(channel.min) })
        : compareDecimals(amount, channel.max) > 0
          ? t('deposit.amount_max', { max: baht(channel.max) })
          : refusal?.amount === amount
            ? refusal.sentence
            : undefined;

  const order = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    const isFaulty =
      amount === '' || compareDecimals(amount, channel.min) < 0 || compareDecimals(amount, channel.max) > 0;
    if (isFaulty) return event.currentTarget.querySelector('input')?.focus();
    const answer = await submit.submit({ channel: channel.channel, amount });
    if (answer.ok) {
      takeRecord({ deposit: [answer.data] });
      navigate(`/pages/Recharge/${channel.kind === 'promptpay' ? 'qrpay' : 'bankpay'}`, { id: answer.data.id });
    } else if (answer.code !== 'session_required')
      setRefusal({ amount, sentence: Object.values(answer.fields)[0] ?? failureText(answer, texts) });
  };

  if (channel.state === 'paused') {
    return <PausedNote reason={channel.reason} />;
  }
  return (
    <form noValidate className="stack" onSubmit={(event) => void order(event)}>
      <Card className="deposit-baht">
        <AmountField
          label={t('deposit.pay_amount')}
          name="amount"
          unit={currency}
          scale={2}
          value={amount}
          onChange={setAmount}
          faultText={(amountFault) => t(`amount.${amountFault}`)}
          hint={t('deposit.limits', { min: baht(channel.min), max: baht(channel.max) })}
          error={fault}
        />
        <fieldset className="deposit-test-amounts deposit-baht-amounts">
          <legend className="unseen">{t('money.amount')}</legend>
          {AMOUNTS.filter(
            (choice) => compareDecimals(choice, channel.min) >= 0 && compareDecimals(choice, channel.max) <= 0,
          ).map((choice) => (
            <Chip key={choice} pressed={choice === amount} onClick={() => setAmount(choice)}>
              {fiat(choice, currency, { minDecimals: 0 })}
            </Chip>
          ))}
        </fieldset>
      </Card>
      <Card tight>
        <MoneyFacts
          facts={[
            {
              key: 'get',
              name: t('deposit.you_get'),
              value: <span data-strong="">{estimate ? t('money.about', { what: usdt(estimate) }) : '–'}</span>,
            },
            channel.rate && {
              key: 'rate',
              name: t('money.rate'),
              about:
                channel.rate.source === 'simulated'
                  ? t('home.rate_simulated', { time: second(channel.rate.at) })
                  : t('money.rate_source', { source: channel.rate.source, time: second(channel.rate.at) }),
              value: rate(channel.rate.rate, currency),
              note: t('money.spread', {
                share: formatPercent(channel.rate.spread, presentation, { minDecimals: 2 }),
              }),
            },
            {
              key: 'time',
              name: t('deposit.arrives_in'),
              value: t('money.about', { what: durationText(channel.expected_minutes * 60, presentation) }),
            },
          ]}
        />
      </Card>
      <MoneyNote icon="clock">{t('deposit.rate_held')}</MoneyNote>
      <Button type="submit" busy={submit.isBusy}>
        {channel.kind === 'promptpay' ? t('deposit.get_qr') : t('deposit.get_account')}
      </Button>
    </form>
  );
}
