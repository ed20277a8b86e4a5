import { CURRENCIES, type Currency, editUser, listRates, type User } from '@sathorn/api';
import { useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { showToast } from '@sathorn/app/shell';
import { Card, RadioList, useText } from '@sathorn/ui';
import { useState } from 'react';
import { AccountGate } from '../parts/account/account-gate.tsx';
import { useAccount } from '../parts/account/use-account.ts';
import { rateText } from '../parts/money/use-money.ts';
import '@sathorn/app/forms/form-page.css';

/** `#/pages/mine/setting/chooseMoneyType`: chooses the display currency. */
export default function DisplayCurrency() {
  return <AccountGate>{(user) => <CurrencyChoice user={user} />}</AccountGate>;
}

function CurrencyChoice({ user }: { user: User }) {
  const { t, presentation } = useText();
  const { back } = useNavigation();
  const { refresh } = useAccount();
  const { data: rates } = useRead(listRates, {}, { freshForMs: 60_000 });
  const edit = useCall(editUser);
  const [chosen, setChosen] = useState<Currency>(user.currency);

  const choose = async (currency: Currency) => {
    if (edit.isBusy) return;
    setChosen(currency);
    const answer = await edit.submit({ currency });
    if (!answer.ok) return setChosen(user.currency);
    refresh();
    showToast(t('form.saved'), 'success');
    back();
  };
  const rateOf = (currency: Currency) => {
    const rate = rates?.find(({ code }) => code === currency);
    return rate === undefined ? '\u00a0' : rateText(rate.rate, rate.unit, presentation);
  };

  return (
    <div className="page">
      <p className="form-lead">{t('currency.lead')}</p>
      <Card tight>
        <RadioList
          legend={t('setting.currency')}
          name="currency"
          choices={CURRENCIES.map((value) => ({
            value,
            label: t(`currency.${value}`),
            note: <bdi dir="ltr">{rateOf(value)}</bdi>,
          }))}
          value={chosen}
          onChange={(currency) => void choose(currency)}
        />
      </Card>
    </div>
  );
}
