import { listWins } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { formatDate } from '@sathorn/text';
import { Card, CardHead, ListRow, Money, useText } from '@sathorn/ui';
import { useSystemConfig } from '../../shell/config.ts';

const SHOWN = 3;

/** Recent real wins of customers who agreed to be shown, and a link to the hall of fame. */
export default function RecentWins() {
  const { t, presentation } = useText();
  const { navigate } = useNavigation();
  const isDemo = useSystemConfig()?.mode === 'demo';
  const { data } = useRead(listWins, {}, { everyMs: 60_000 });
  return (
    <Card>
      <CardHead title={t('wins.title')} trail={isDemo && <span className="muted">{t('fame.test')}</span>} />
      {data?.slice(0, SHOWN).map((win) => (
        <ListRow
          key={`${win.at} ${win.name}`}
          title={
            <>
              <bdi>{win.name}</bdi> · {win.coin}
            </>
          }
          note={formatDate(win.at, 'dayTime', presentation)}
          value={
            <b>
              <Money amount={win.amount} asset="USDT" signed toned />
            </b>
          }
        />
      ))}
      {data?.length === 0 && <p className="muted">{t('wins.none')}</p>}
      <ListRow icon="crown" title={t('fame.open')} onPress={() => navigate('/pages/index/fame')} />
    </Card>
  );
}
