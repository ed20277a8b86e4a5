import { addRecurring, listRecurring, type RequestOf, readBalance, readContractTerms } from '@sathorn/api';
import { failureText, readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { intentKeyOf } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { COINS, type CoinCode, parseMoney } from '@sathorn/money';
import { formatCount } from '@sathorn/text';
import { AmountField, Button, Sheet, TextField, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField } from '../parts/forms/select-field.tsx';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { hourText, weekdayName } from './recurring-figures.ts';
import { RecurringTexts } from './recurring-texts.tsx';
import { SegmentedControl } from './segmented-control.tsx';

interface RecurringSheetProps {
  open: boolean;
  code: CoinCode;
  onClose: () => void;
}

/** Orders a purchase that recurs. */
export default function RecurringSheet({ open, code, onClose }: RecurringSheetProps) {
  const { t } = useText<'contracts'>();
  return (
    <Sheet open={open} onClose={onClose} title={t('contracts.buy_regularly')}>
      <RecurringTexts>
        <Form code={code} onClose={onClose} />
      </RecurringTexts>
    </Sheet>
  );
}

const RECURRENCES = ['day', 'week', 'month'] as const;
const TIMES_MAX = 1_000;
const FIELDS = ['amount', 'price_max', 'times'] as const;
type Field = (typeof FIELDS)[number];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const WEEKDAYS = Array.from({ length: 7 }, (_, n) => n + 1);
const MONTH_DAYS = Array.from({ length: 28 }, (_, n) => n + 1);

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <SelectField label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </SelectField>
  );
}

function Form({ code, onClose }: { code: CoinCode; onClose: () => void }) {
  const texts = useText();
  const { t, presentation } = useText<'recurring' | 'contracts'>();
  const { navigate } = useNavigation();
  const queries = useQueryClient();
  const [amount, setAmount] = useState('');
  const [every, setEvery] = useState<(typeof RECURRENCES)[number]>('month');
  const [weekday, setWeekday] = useState(1);
  const [monthDay, setMonthDay] = useState(1);
  const [hour, setHour] = useState(9);
  const [priceMax, setPriceMax] = useState('');
  const [times, setTimes] = useState('');
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const balance = useRead(readBalance, { code });
  const terms = useRead(readContractTerms, { code }, { freshForMs: 60_000 });
  const add = useCall(addRecurring, { quiet: true, withoutOverlay: true, intent: intentKeyOf(`recurring ${code}`) });

  const day = every === 'day' ? null : every === 'week' ? weekday : monthDay;
  const count = times === '' ? null : Number(times);
  const areTimesWrong = count !== null && !(Number.isInteger(count) && count >= 1 && count <= TIMES_MAX);
  const size = parseMoney('USDT', amount);
  const [least, most] = [terms.data?.amount_min, terms.data?.amount_max].map((text) => parseMoney('USDT', text ?? ''));
  const isAllowed =
    size !== undefined &&
    !areTimesWrong &&
    size.units >= (least?.units ?? 1n) &&
    (most === undefined || size.units <= most.units);

  const send = async () => {
    const request: RequestOf<typeof addRecurring> = { code, amount, every, hour: String(hour) };
    if (day !== null) request.day = String(day);
    if (priceMax !== '') request.price_max = priceMax;
    if (times !== '') request.times = times;
    const answer = await add.submit(request);
    if (answer.ok) {
      void queries.invalidateQueries({ queryKey: readQueryKey(listRecurring) });
      showToast(t('recurring.placed'), 'success');
      onClose();
      navigate('/pages/contracts/recurring', { id: answer.data.id });
      return;
    }
    const named = FIELDS.flatMap((field) =>
      answer.fields[field] === undefined ? [] : [[field, answer.fields[field]]],
    );
    setErrors(Object.fromEntries(named));
    if (named.length === 0 && answer.code !== 'session_required')
      showToast(answer.isAnswered ? failureText(answer, texts) : t('contracts.unanswered'), 'danger');
  };
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setErrors({});
    };
  const number = (value: number) => formatCount(value, presentation);
  const available = balance.data?.usdt_available;
  return (
    <div className="stack" data-form="">
      <AmountField
        label={t('recurring.amount')}
        name="amount"
        unit="USDT"
        scale={6}
        value={amount}
        onChange={change(setAmount)}
        faultText={(fault) => t(`amount.${fault}`)}
        error={errors.amount}
        hint={
          available === undefined
            ? undefined
            : `${t('contracts.available')} ${assetFigure('USDT', available, presentation)}`
        }
      />
      <SegmentedControl
        legend={t('recurring.every')}
        value={every}
        onChange={setEvery}
        options={RECURRENCES.map((value) => ({ value, label: t(`recurring.every.${value}`) }))}
      />
      {every === 'week' && (
        <Choice
          label={t('recurring.weekday')}
          value={String(weekday)}
          onChange={(value) => setWeekday(Number(value))}
          options={WEEKDAYS.map((value) => ({ value: String(value), label: weekdayName(value, presentation) }))}
        />
      )}
      {every === 'month' && (
        <Choice
          label={t('recurring.month_day')}
          value={String(monthDay)}
          onChange={(value) => setMonthDay(Number(value))}
          options={MONTH_DAYS.map((value) => ({ value: String(value), label: number(value) }))}
        />
      )}
      <Choice
        label={t('recurring.hour')}
        value={String(hour)}
        onChange={(value) => setHour(Number(value))}
        options={HOURS.map((value) => ({ value: String(value), label: hourText(value, presentation) }))}
      />
      <AmountField
        label={t('recurring.price_max')}
        name="price_max"
        unit="USDT"
        scale={COINS[code].priceDecimals}
        value={priceMax}
        onChange={change(setPriceMax)}
        faultText={(fault) => t(`amount.${fault}`)}
        error={errors.price_max}
        hint={t('recurring.price_max_hint')}
      />
      <TextField
        label={t('recurring.times')}
        name="times"
        inputMode="numeric"
        maxLength={4}
        value={times}
        onChange={(event) => change(setTimes)(event.target.value.trim())}
        error={areTimesWrong ? t('recurring.times_wrong') : errors.times}
        hint={t('recurring.times_hint')}
      />
      <p className="cap">{t('recurring.note')}</p>
      <p className="ticket-note">{t('recurring.risk')}</p>
      <Button look="buy" busy={add.isBusy} disabled={!isAllowed} onClick={() => void send()}>
        {t('recurring.place')}
      </Button>
    </div>
  );
}
