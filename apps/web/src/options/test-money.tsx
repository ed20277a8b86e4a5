import { fundDemo, readBalance, readUser } from '@sathorn/api';
import { readQueryKey, useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { formatAsset } from '@sathorn/text';
import { Button, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';

const AMOUNT = '1000';

/** Offers test money to a demo customer who cannot pay the smallest order, without leaving the ticket. */
export default function TestMoney() {
  const { t, presentation } = useText();
  const queries = useQueryClient();
  const fund = useCall(fundDemo);
  const take = async () => {
    const answer = await fund.submit({ asset: 'USDT', amount: AMOUNT });
    if (!answer.ok) return;
    showToast(t('mine.fund_done', { amount: formatAsset(AMOUNT, 'USDT', presentation) }), 'success');
    for (const call of [readBalance, readUser]) void queries.invalidateQueries({ queryKey: readQueryKey(call) });
  };
  return (
    <Button look="soft" size="small" busy={fund.isBusy} onClick={take}>
      {t('mine.fund')}
    </Button>
  );
}
