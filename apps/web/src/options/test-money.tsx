import { fundDemo, readBalance, readUser } from '@sathorn/api';
import { readQueryKey, useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { formatAsset } from '@sathorn/text';
import { Button, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import PracticeLink from '../parts/practice/practice-link.tsx';
import { useSystemConfig } from '../shell/config.ts';

const AMOUNT = '1000';

/** For a customer who cannot pay the smallest order: test money in a demo, without leaving the ticket, and practice. */
export default function TestMoney() {
  const { t, presentation } = useText();
  const isDemo = useSystemConfig()?.mode === 'demo';
  const queries = useQueryClient();
  const fund = useCall(fundDemo);
  const take = async () => {
    const answer = await fund.submit({ asset: 'USDT', amount: AMOUNT });
    if (!answer.ok) return;
    showToast(t('mine.fund_done', { amount: formatAsset(AMOUNT, 'USDT', presentation) }), 'success');
    for (const call of [readBalance, readUser]) void queries.invalidateQueries({ queryKey: readQueryKey(call) });
  };
  return (
    <>
      {isDemo && (
        <Button look="soft" size="small" busy={fund.isBusy} onClick={take}>
          {t('mine.fund')}
        </Button>
      )}
      <PracticeLink />
    </>
  );
}
