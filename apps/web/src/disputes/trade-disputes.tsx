import { listOwnDisputes } from '@sathorn/api';
import { rowsOfPages, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useText } from '@sathorn/ui';
import { DisputeCard } from './dispute-card.tsx';
import { DisputeList } from './dispute-list.tsx';

/** The customer's disputes about options. */
export function TradeDisputes() {
  const { t } = useText<'disputes'>();
  const { navigate } = useNavigation();
  const list = useReadPages(listOwnDisputes, {}, { freshForMs: 5_000 });
  return (
    <DisputeList list={list} lead={t('disputes.lead')} none={t('disputes.none_lead')}>
      {rowsOfPages(list.data).map((dispute) => (
        <DisputeCard
          key={dispute.id}
          dispute={dispute}
          finding={dispute.finding && t(`disputes.finding.${dispute.finding}`)}
          about={[{ name: t('disputes.order'), value: <span className="mono dispute-order">{dispute.order}</span> }]}
          see={{
            label: t('disputes.receipt'),
            onPress: () => navigate('/pages/Option/orderRecord/receipt', { id: dispute.order }),
          }}
        />
      ))}
    </DisputeList>
  );
}
