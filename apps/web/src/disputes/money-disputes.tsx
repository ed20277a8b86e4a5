import { listOwnMoneyDisputes } from '@sathorn/api';
import { rowsOfPages, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { formatAsset, formatDate } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { DisputeCard } from './dispute-card.tsx';
import { DisputeList } from './dispute-list.tsx';

const PAGES = {
  deposit: '/pages/Recharge/orderDetails',
  withdrawal: '/pages/Withdraw/orderDetails',
  correction: '/pages/mine/corrections',
} as const;

/** The customer's disputes about deposits, withdrawals and corrections. */
export function MoneyDisputes() {
  const { t, presentation } = useText<'disputes'>();
  const { navigate } = useNavigation();
  const list = useReadPages(listOwnMoneyDisputes, {}, { freshForMs: 5_000 });
  return (
    <DisputeList list={list} lead={t('money_dispute.lead')} none={t('money_dispute.none_lead')}>
      {rowsOfPages(list.data).map((dispute) => {
        const { id, kind, subject, order, amount, asset, at, correction, finding } = dispute;
        const shown = formatAsset(amount, asset, presentation, { minDecimals: 2, signed: kind === 'correction' });
        const about = (
          <>
            {t(`money_dispute.kind.${kind}`)} <bdi className="mono dispute-order">{order}</bdi>
          </>
        );
        return (
          <DisputeCard
            key={id}
            dispute={dispute}
            finding={finding && t(`money_dispute.finding.${finding}`)}
            about={[
              { name: t('money_dispute.about'), value: about },
              ...(correction
                ? [{ name: t('money_dispute.correction'), value: <span className="mono">{correction}</span> }]
                : []),
            ]}
            see={{
              label: t(`money_dispute.see.${kind}`, { amount: shown, date: formatDate(at, 'day', presentation) }),
              onPress: () => navigate(PAGES[kind], { id: subject }),
            }}
          />
        );
      })}
    </DisputeList>
  );
}
