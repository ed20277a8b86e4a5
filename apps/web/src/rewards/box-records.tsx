import { type Draw, listDraws } from '@sathorn/api';
import { rowsOfPages, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { formatCount, formatDate } from '@sathorn/text';
import { Card, EmptyState, ListRow, useText } from '@sathorn/ui';
import { ListEnd } from '../parts/list/list-end.tsx';
import { NoRows } from '../parts/list/no-rows.tsx';
import { usePrizeText } from './prize-text.ts';
import { RewardTexts } from './reward-texts.tsx';

/** `#/pages/blindbox/records`: every box that the customer has opened. */
export default function BoxRecords() {
  return (
    <RewardTexts>
      <Records />
    </RewardTexts>
  );
}

function Records() {
  const { t } = useText<'rewards'>();
  const { navigate } = useNavigation();
  const list = useReadPages(listDraws, {}, { freshForMs: 0 });
  const draws = rowsOfPages(list.data);
  return (
    <div className="page">
      <Card tight>
        {draws.map((draw) => (
          <Row key={draw.id} draw={draw} onPress={() => navigate('/pages/blindbox/draw', { id: draw.id })} />
        ))}
        {draws.length === 0 && (
          <NoRows
            list={list}
            none={
              <EmptyState
                picture="box"
                title={t('box.empty')}
                action={{ label: t('box.to_boxes'), onPress: () => navigate('/pages/blindbox/index') }}
              />
            }
          />
        )}
      </Card>
      {draws.length > 0 && <ListEnd list={list} />}
    </div>
  );
}

function Row({ draw, onPress }: { draw: Draw; onPress: () => void }) {
  const { t, presentation } = useText<'rewards'>();
  const say = usePrizeText();
  return (
    <ListRow
      icon="box"
      title={draw.box.name}
      note={
        <span className="num">
          {t('box.number', { number: formatCount(draw.i, presentation) })},{' '}
          {formatDate(draw.at, 'dayTime', presentation)}
        </span>
      }
      value={<b className="num">{draw.result ? say(draw.result) : t('box.state.waiting')}</b>}
      onPress={onPress}
    />
  );
}
