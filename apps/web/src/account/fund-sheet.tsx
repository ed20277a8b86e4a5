import { fundDemo } from '@sathorn/api';
import { useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { formatAsset } from '@sathorn/text';
import { Button, Chip, Sheet, useText } from '@sathorn/ui';
import { useState } from 'react';

const AMOUNTS = ['100', '1000', '10000'] as const;

/** A sheet that adds test money, in a demo and on a practice platform. */
export function FundSheet({ open, onClose, onFunded }: { open: boolean; onClose: () => void; onFunded: () => void }) {
  const { t, presentation } = useText();
  const [amount, setAmount] = useState<string>(AMOUNTS[1]);
  const fund = useCall(fundDemo);
  const shown = (text: string) => formatAsset(text, 'USDT', presentation);

  const take = async () => {
    const answer = await fund.submit({ asset: 'USDT', amount });
    if (!answer.ok) return;
    showToast(t('mine.fund_done', { amount: shown(amount) }), 'success');
    onFunded();
    onClose();
  };

  return (
    <Sheet open={open} onClose={onClose} title={t('mine.fund')} blocking={fund.isBusy}>
      <div className="stack">
        <p className="muted">{t('mine.fund_lead')}</p>
        <fieldset className="mine-fund-amounts">
          <legend className="unseen">{t('mine.fund_amount')}</legend>
          {AMOUNTS.map((choice) => (
            <Chip key={choice} pressed={choice === amount} onClick={() => setAmount(choice)}>
              {shown(choice)}
            </Chip>
          ))}
        </fieldset>
        <Button busy={fund.isBusy} onClick={take}>
          {t('mine.fund_submit', { amount: shown(amount) })}
        </Button>
      </div>
    </Sheet>
  );
}
