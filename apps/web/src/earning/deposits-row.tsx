import { listStanding } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { Badge, Card, ListRow, useText } from '@sathorn/ui';
import { StandingTexts } from './standing-texts.tsx';

/** Leads to the standing order that subscribes deposits, and says whether there is one. */
export default function DepositsRow() {
  return (
    <Card tight>
      <StandingTexts>
        <Row />
      </StandingTexts>
    </Card>
  );
}

function Row() {
  const { t } = useText<'standing'>();
  const { navigate } = useNavigation();
  const list = useRead(listStanding, { kind: 'deposits' }, { freshForMs: 0 });
  const isOn = list.data?.items.some(({ status }) => status === 'active') ?? false;
  return (
    <ListRow
      icon="download"
      title={t('standing.deposits')}
      note={t('standing.deposits_lead')}
      value={isOn ? <Badge tone="success">{t('standing.deposits_on')}</Badge> : undefined}
      onPress={() => navigate('/pages/Lock-up/standing')}
    />
  );
}
