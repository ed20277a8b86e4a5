import { addFromDeposits, listEarningProducts, listStanding, type RequestOf } from '@sathorn/api';
import { failureText, readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { intentKeyOf } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { parseMoney } from '@sathorn/money';
import { formatPercent } from '@sathorn/text';
import { AmountField, Button, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField } from '../parts/forms/select-field.tsx';
import { percentTextOf, rateOfPercent } from './standing-figures.ts';

const LIQUIDITY = 'liquidity';
const FIELDS = ['amount_min', 'amount_max', 'rate_min'] as const;
type Field = (typeof FIELDS)[number];

/** Orders that deposits are subscribed. */
export function DepositsForm() {
  const texts = useText();
  const { t, presentation } = useText<'standing'>();
  const queries = useQueryClient();
  const [product, setProduct] = useState(LIQUIDITY);
  const [least, setLeast] = useState('');
  const [most, setMost] = useState('');
  const [percent, setPercent] = useState('');
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const list = useRead(listEarningProducts, { type: 'regular' });
  const lockups = list.data?.type === 'regular' ? list.data.products.filter(({ offered }) => offered) : [];
  const add = useCall(addFromDeposits, { quiet: true, withoutOverlay: true, intent: intentKeyOf('deposits') });

  const chosen = lockups.find(({ id }) => id === product);
  const rate = rateOfPercent(percent);
  const [from, to] = [parseMoney('USDT', least), parseMoney('USDT', most)];
  const isAllowed =
    from !== undefined && to !== undefined && from.units > 0n && (product === LIQUIDITY || rate !== null);

  const choose = (id: string) => {
    setProduct(id);
    setPercent(percentTextOf(lockups.find((one) => one.id === id)?.daily_rate ?? '0'));
    setErrors({});
  };
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setErrors({});
  };
  const send = async () => {
    const amounts = { amount_min: least, amount_max: most };
    const request: RequestOf<typeof addFromDeposits> =
      product === LIQUIDITY
        ? { ...amounts, type: 'liquidity' }
        : { ...amounts, type: 'regular', product, rate_min: rate ?? '' };
    const answer = await add.submit(request);
    if (answer.ok) {
      showToast(t('standing.deposits_started'), 'success');
      void queries.invalidateQueries({ queryKey: readQueryKey(listStanding) });
      return;
    }
    const named = FIELDS.flatMap((field) =>
      answer.fields[field] === undefined ? [] : [[field, answer.fields[field]]],
    );
    setErrors(Object.fromEntries(named));
    if (named.length === 0 && answer.code !== 'session_required') showToast(failureText(answer, texts), 'danger');
  };
  const amount = (field: Field, label: string, value: string, set: (value: string) => void, hint: string) => (
    <AmountField
      label={label}
      name={field}
      unit="USDT"
      scale={6}
      value={value}
      onChange={change(set)}
      faultText={(fault) => t(`amount.${fault}`)}
      error={errors[field]}
      hint={hint}
    />
  );
  return (
    <div className="stack" data-form="">
      <p className="muted">{t('standing.deposits_lead')}</p>
      <SelectField
        label={t('standing.product')}
        name="product"
        value={product}
        onChange={(event) => choose(event.target.value)}
      >
        <option value={LIQUIDITY}>{t('standing.into_liquidity')}</option>
        {lockups.map(({ id, days, daily_rate: daily }) => (
          <option key={id} value={id}>
            {`${t('standing.into_lockup', { days })} · ${formatPercent(daily, presentation, { minDecimals: 3 })}`}
          </option>
        ))}
      </SelectField>
      {amount('amount_min', t('standing.amount_min'), least, setLeast, t('standing.amount_min_hint'))}
      {amount('amount_max', t('standing.amount_max'), most, setMost, t('standing.amount_max_hint'))}
      {chosen && (
        <AmountField
          label={t('standing.rate_min')}
          name="rate_min"
          unit="%"
          scale={6}
          value={percent}
          onChange={change(setPercent)}
          faultText={(fault) => t(`amount.${fault}`)}
          error={errors.rate_min ?? (rate === null ? t('standing.rate_wrong') : undefined)}
          hint={t('standing.rate_min_hint', {
            rate: formatPercent(chosen.daily_rate, presentation, { minDecimals: 3 }),
          })}
        />
      )}
      <p className="cap">{t('standing.deposits_note')}</p>
      {chosen && <p className="cap">{t('standing.deposits_lock_note')}</p>}
      <Button busy={add.isBusy} disabled={!isAllowed} onClick={() => void send()}>
        {t('standing.deposits_start')}
      </Button>
    </div>
  );
}
