import { quoteWithdrawal, type User } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { Late, preloadPart } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { AmountField, Button, Card, Checkbox, Icon, preloadOverlays, useText } from '@sathorn/ui';
import { useEffect, useRef, useState } from 'react';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';
import { ChainMark } from '../parts/money/chain-mark.tsx';
import { GroupedAddress } from '../parts/money/grouped-address.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { PageFoot } from '../parts/money/page-foot.tsx';
import { RailMark } from '../parts/money/record-rows.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import type { ChannelPayee } from './channel-payee.ts';
import { judgeWithdrawalAmount, largestWithdrawal } from './judge-amount.ts';
import { PayeeUsableFrom } from './payee-usable-from.tsx';
import { QuoteCard } from './quote-card.tsx';
import { useDebounced } from './use-debounced.ts';

const PATH = '/pages/Withdraw/Withdraw';
const loadChoose = () => import('./choose-payee.tsx');
const loadConfirm = () => import('./confirm-withdrawal.tsx');

/** A quote is requested once the input has not changed for this long. */
const QUOTE_AFTER_MS = 350;
/** Requests a new quote before the old one expires, so that the promised time stays current. */
const QUOTE_AGAIN_MS = 30_000;

interface WithdrawFormProps {
  payee: ChannelPayee;
  payees: readonly ChannelPayee[];
  user: User;
  onAdd: () => void;
}

/** The withdrawal form: payee, amount, cost and arrival time, with every fault beside its field. */
export default function WithdrawForm({ payee, payees, user, onAdd }: WithdrawFormProps) {
  const { t } = useText<'money' | 'withdrawals'>();
  const texts = useText();
  const { redirect } = useNavigation();
  const { usdt, plain, moment } = useMoneyFormats();
  const [amount, setAmount] = useState('');
  const [isTried, setTried] = useState(false);
  const [hasCompared, setCompared] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const { rate } = payee;
  const available = user.balance;
  const verdict = judgeWithdrawalAmount(amount, rate, available);
  const settled = useDebounced(amount, QUOTE_AFTER_MS);
  const isAsked = verdict === null && settled === amount && rate.state === 'open';
  const quote = useRead(
    quoteWithdrawal,
    { channel: rate.channel, target: payee.id, amount: settled },
    { enabled: isAsked, freshForMs: 0, everyMs: isConfirming ? false : QUOTE_AGAIN_MS },
  );
  // Preloads the sheet and its code, because the connection may be lost later.
  useEffect(() => {
    preloadOverlays();
    preloadPart(loadConfirm);
  }, []);

  const terms = isAsked ? quote.data : undefined;
  const refused = isAsked ? quote.error?.failure : undefined;
  const refusedText = refused && (Object.values(refused.fields)[0] ?? failureText(refused, texts));
  const fault =
    verdict === null
      ? refusedText
      : verdict === 'missing'
        ? isTried
          ? t('withdrawal.amount_missing')
          : undefined
        : t(`withdrawal.amount.${verdict}`, {
            min: usdt(rate.min),
            max: usdt(rate.max),
            left: usdt(rate.left_today),
            available: usdt(available),
          });
  const mustCompare = terms?.looks_like != null && !hasCompared;

  // The customer pressed the button before the quote was loaded, so the sheet opens once it is.
  const [isAwaited, setAwaited] = useState(false);
  const isPossible = verdict === null && !refused && !mustCompare;
  if (isAwaited && (terms || !isPossible)) {
    setAwaited(false);
    if (terms && isPossible) setConfirming(true);
  }

  const ask = () => {
    setTried(true);
    if (verdict !== null || refused) return form.current?.querySelector<HTMLElement>('input[name=amount]')?.focus();
    if (mustCompare) return form.current?.querySelector<HTMLElement>('.ui-checkbox input')?.focus();
    if (terms) setConfirming(true);
    else setAwaited(true);
  };

  return (
    <>
      <div ref={form} className="page withdraw-form">
        <Card className="withdraw-payee">
          <div className="withdraw-chain">
            {rate.chain ? <ChainMark chain={rate.chain} size={42} /> : <RailMark icon="company" size={42} />}
            <div>
              <p className="withdraw-chain-name">
                <bdi>{rate.chain?.name ?? payee.bankName}</bdi>
              </p>
              <p className="muted">
                {rate.chain ? t('withdrawal.same_chain', { standard: rate.chain.standard }) : t('withdrawal.own_name')}
              </p>
            </div>
          </div>
          <div className="withdraw-to">
            <div className="row">
              <b className="withdraw-name">
                <Icon name={payee.kind === 'wallet' ? 'wallet' : 'card'} size={18} />
                <bdi>{payee.name}</bdi>
              </b>
              <button type="button" className="withdraw-change" onClick={() => setChoosing(true)}>
                {t('withdrawal.change')}
              </button>
            </div>
            {payee.address !== null ? (
              <GroupedAddress address={payee.address} />
            ) : (
              <p className="withdraw-card num">
                <bdi dir="ltr">{payee.number}</bdi>
                <bdi className="muted">{payee.realName}</bdi>
              </p>
            )}
            <PayeeUsableFrom payee={payee} />
          </div>
        </Card>

        {rate.state === 'paused' && (
          <MoneyNote tone="warn" icon="warning" title={t('withdrawal.paused')}>
            {t('withdrawal.paused_lead')}
          </MoneyNote>
        )}

        <Card className="withdraw-amount">
          <div className="row muted num">
            <span aria-hidden="true">{t('money.amount')}</span>
            <span>
              {t('withdrawal.available')} <b>{plain(available)}</b>
            </span>
          </div>
          <AmountField
            label={t('money.amount')}
            labelUnseen
            name="amount"
            unit="USDT"
            scale={6}
            value={amount}
            onChange={(next) => {
              setAmount(next);
              setCompared(false);
            }}
            available={withoutTrailingZeros(available)}
            max={withoutTrailingZeros(largestWithdrawal(rate))}
            faultText={(amountFault) => t(`amount.${amountFault}`)}
            hint={t('withdrawal.limits', { min: usdt(rate.min), left: usdt(rate.left_today) })}
            error={fault}
          />
        </Card>

        {terms?.looks_like != null && (
          <MoneyNote tone="danger" icon="warning" title={t('withdrawal.looks_like', { name: terms.looks_like })} alert>
            <p>{t('withdrawal.looks_like_lead')}</p>
            <Checkbox
              checked={hasCompared}
              onChange={setCompared}
              error={isTried && !hasCompared ? t('withdrawal.compare_first') : undefined}
            >
              {t('withdrawal.compared')}
            </Checkbox>
          </MoneyNote>
        )}

        <QuoteCard rate={rate} quote={terms} isWaiting={verdict === null && !refused && rate.state === 'open'} />
        {refused && !refused.isAnswered && (
          <Button look="soft" onClick={() => void quote.refetch()}>
            {t('shell.try_again')}
          </Button>
        )}
        <p className="withdraw-never">{t('withdrawal.never_pay')}</p>
      </div>
      <PageFoot>
        <Button busy={isAwaited} disabled={rate.state === 'paused'} onClick={ask}>
          {verdict !== null
            ? t('withdrawal.submit')
            : terms?.delayed_until
              ? t('withdrawal.submit_later', { amount: usdt(amount), time: moment(terms.delayed_until) })
              : t('withdrawal.submit_amount', { amount: usdt(amount) })}
        </Button>
      </PageFoot>

      <Late load={loadChoose} sheet={{ open: isChoosing, onClose: () => setChoosing(false) }}>
        {(ChoosePayee) => (
          <ChoosePayee
            open={isChoosing}
            onClose={() => setChoosing(false)}
            payees={payees}
            chosen={payee.id}
            onChoose={(id) => {
              setChoosing(false);
              redirect(PATH, { to: payee.kind, payee: id });
            }}
            onAdd={onAdd}
          />
        )}
      </Late>
      <Late load={loadConfirm} sheet={{ open: isConfirming, onClose: () => setConfirming(false) }}>
        {(ConfirmWithdrawal) => (
          <ConfirmWithdrawal
            open={isConfirming}
            onClose={() => setConfirming(false)}
            payee={payee}
            quote={terms}
            hasSecondFactor={terms?.second_factor_required ?? user.second_factor}
            onStale={() => {
              setConfirming(false);
              void quote.refetch();
            }}
          />
        )}
      </Late>
    </>
  );
}
