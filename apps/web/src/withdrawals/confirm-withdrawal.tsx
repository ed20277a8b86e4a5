import { requestWithdrawal, type WithdrawalQuote } from '@sathorn/api';
import { type Failure, failureText, useCall } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { intentKeyOf } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { normaliseCode } from '@sathorn/identity';
import { Button, Sheet, TextField, useText } from '@sathorn/ui';
import { type FormEvent, useState } from 'react';
import { LatePinSteps } from '../parts/forms/late-pin-steps.tsx';
import { hasPasskeySupport, provePasskey } from '../parts/forms/passkeys.ts';
import { usePaymentPasswordFault } from '../parts/forms/use-payment-password-fault.ts';
import { ChainName } from '../parts/money/chain-mark.tsx';
import { GroupedAddress } from '../parts/money/grouped-address.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { useApplyRecordNews } from '../parts/money/use-records.ts';
import type { ChannelPayee } from './channel-payee.ts';

interface ConfirmWithdrawalProps {
  open: boolean;
  onClose: () => void;
  payee: ChannelPayee;
  /** Undefined only while the sheet is closed. */
  quote: WithdrawalQuote | undefined;
  hasSecondFactor: boolean;
  /** Called when the terms have expired and new ones are needed. */
  onStale: () => void;
}

/** Repeats the whole operation above our own keypad. Nothing is sent before the sixth digit. */
export default function ConfirmWithdrawal({ open, onClose, quote, ...rest }: ConfirmWithdrawalProps) {
  const { t } = useText<'money' | 'withdrawals'>();
  const { navigate } = useNavigation();
  const [isBusy, setBusy] = useState(false);
  // The answer was lost. The records show whether the withdrawal exists, so they are shown before another attempt.
  const [isInDoubt, setInDoubt] = useState(false);
  // The terms at the opening of the sheet. They must not change while the customer reads, and they stay while the sheet
  // slides away.
  const [asked, setAsked] = useState<WithdrawalQuote>();
  const [wasOpen, setWasOpen] = useState(false);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open && quote) setAsked(quote);
  }
  const close = () => {
    onClose();
    if (isInDoubt) navigate('/pages/Withdraw/record');
    setInDoubt(false);
  };
  return (
    <Sheet open={open} onClose={close} title={t('withdrawal.confirm')} blocking={isBusy}>
      {asked && open && (
        <Operation key={asked.quote} quote={asked} onClose={onClose} onBusy={setBusy} onDoubt={setInDoubt} {...rest} />
      )}
    </Sheet>
  );
}

interface OperationProps extends Omit<ConfirmWithdrawalProps, 'open' | 'quote'> {
  quote: WithdrawalQuote;
  onBusy: (isBusy: boolean) => void;
  onDoubt: (isInDoubt: boolean) => void;
}

function Operation({ quote, payee, hasSecondFactor, onClose, onStale, onBusy, onDoubt }: OperationProps) {
  const { t } = useText<'money' | 'withdrawals'>();
  const texts = useText();
  const { navigate, redirect } = useNavigation();
  const { plain, usdt, fiat, moment } = useMoneyFormats();
  const pinFault = usePaymentPasswordFault();
  const takeRecord = useApplyRecordNews();
  const [needsCode, setNeedsCode] = useState(hasSecondFactor);
  const [code, setCode] = useState('');
  const [isCodeTaken, setCodeTaken] = useState(false);
  const [isProving, setProving] = useState(false);
  const [codeFault, setCodeFault] = useState<string>();
  const [wrong, setWrong] = useState<{ sentence: string; attempt: number }>();
  const submit = useCall(requestWithdrawal, {
    quiet: true,
    withoutOverlay: true,
    intent: intentKeyOf(`withdrawal ${quote.quote}`),
  });

  const send = async (paypass: string) => {
    onBusy(true);
    const answer = await submit.submit({
      channel: quote.channel,
      target: payee.id,
      amount: quote.amount,
      quote: quote.quote,
      paypass,
      ...(code === '' ? {} : { otp: code }),
    });
    onBusy(false);
    onDoubt(!answer.ok && !answer.isAnswered);
    if (answer.ok) {
      takeRecord({ withdrawal: [answer.data] });
      showToast(t('withdrawal.done'), 'success', { durationMs: 4000 });
      onClose();
      redirect('/pages/Withdraw/orderDetails', { id: answer.data.id });
      return;
    }
    refuse(answer);
  };

  const again = (sentence: string) => setWrong({ sentence, attempt: (wrong?.attempt ?? 0) + 1 });
  const refuse = (refused: Failure) => {
    const sentence = Object.values(refused.fields)[0] ?? failureText(refused, texts);
    switch (refused.code) {
      case 'session_required':
        return onClose();
      // The press came faster than a person can repeat it, so nothing was sent.
      case 'still_loading':
      case 'too_many':
        return again(sentence);
      case 'paypass_wrong':
      case 'paypass_locked':
        return again(pinFault(refused));
      case 'second_factor_required':
      case 'second_factor_wrong':
      case 'second_factor_delayed':
        setNeedsCode(true);
        setCodeTaken(false);
        setCode('');
        return setCodeFault(refused.code === 'second_factor_required' ? undefined : sentence);
      default:
        if (!refused.isAnswered) return again(t('withdrawal.unanswered'));
        showToast(sentence, 'danger');
        return onStale();
    }
  };

  const takeCode = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = normaliseCode(code);
    setCode(given);
    if (/^[A-Za-z0-9-]{6,64}$/.test(given)) {
      setCodeFault(undefined);
      setCodeTaken(true);
      return;
    }
    setCodeFault(t('withdrawal.code_malformed'));
    event.currentTarget.querySelector('input')?.focus();
  };

  // The passkey signs exactly these terms, so its proof replaces a code.
  const askPasskey = async () => {
    onBusy(true);
    setProving(true);
    const proof = await provePasskey('withdrawal', quote.quote);
    setProving(false);
    onBusy(false);
    if (proof === null) return setCodeFault(t('withdrawal.passkey_failed'));
    setCode(proof);
    setCodeFault(undefined);
    setCodeTaken(true);
  };

  return (
    <div className="stack">
      <div className="confirm-what">
        <div className="confirm-what-head">
          <div>
            <p className="muted">{t('withdrawal.receive')}</p>
            <p className="confirm-amount num">
              <bdi>
                {quote.fiat ? fiat(quote.fiat.amount, quote.fiat.currency) : plain(quote.actual_amount)}
                {!quote.fiat && <span className="confirm-unit"> USDT</span>}
              </bdi>
            </p>
          </div>
          {payee.rate.chain && <ChainName chain={payee.rate.chain} />}
        </div>
        <p className="confirm-to">{t('withdrawal.to_name', { name: payee.name })}</p>
        {payee.address !== null ? (
          <GroupedAddress address={payee.address} />
        ) : (
          <p className="num">
            <bdi>{payee.bankName}</bdi> <bdi dir="ltr">{payee.number}</bdi>
          </p>
        )}
        {quote.delayed_until !== null && (
          <MoneyNote
            tone="warn"
            icon="clock"
            title={t('withdrawal.delayed_until', { time: moment(quote.delayed_until) })}
          >
            {t(`withdrawal.delay.${quote.delay_reason ?? 'new_payee'}`)}
          </MoneyNote>
        )}
        {quote.delay_reason === 'restoration' && quote.delayed_until === null && (
          <MoneyNote tone="warn" icon="clock">
            {t('withdrawal.delay.restoration')}
          </MoneyNote>
        )}
        <p className="confirm-leaves row num">
          <span className="muted">{t('withdrawal.leaves')}</span>
          <span>
            <b>{usdt(quote.amount)}</b>
            <span className="cap">{t('withdrawal.fee_inside', { fee: plain(quote.fee) })}</span>
          </span>
        </p>
      </div>
      {needsCode && !isCodeTaken ? (
        <form noValidate className="stack" onSubmit={takeCode}>
          <TextField
            label={t('withdrawal.code')}
            hint={t('withdrawal.code_hint')}
            name="otp"
            inputMode="numeric"
            autoComplete="one-time-code"
            dir="ltr"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            error={codeFault}
          />
          <Button type="submit" busy={isProving}>
            {t('withdrawal.code_next')}
          </Button>
          {hasPasskeySupport() && (
            <Button look="soft" icon="key" disabled={isProving} onClick={() => void askPasskey()}>
              {t('withdrawal.passkey')}
            </Button>
          )}
        </form>
      ) : (
        <LatePinSteps
          key={wrong?.attempt ?? 0}
          steps={['own']}
          onDone={({ current }) => void send(current)}
          error={wrong?.sentence}
          busy={submit.isBusy}
        />
      )}
      <Button
        look="plain"
        size="small"
        disabled={submit.isBusy}
        onClick={() => {
          onClose();
          navigate('/pages/mine/setting/paypass');
        }}
      >
        {t('setting.reset_paypass')}
      </Button>
    </div>
  );
}
