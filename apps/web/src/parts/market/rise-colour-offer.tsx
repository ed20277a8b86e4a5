import { Late, renderNothing } from '@sathorn/app/late';
import { setPreferences, usePreferences } from '@sathorn/app/preferences';
import { Card, Skeleton } from '@sathorn/ui';
import { useEffect, useState } from 'react';

const loadCard = () => import('./rise-offer-card.tsx');
const HEIGHT = 104;

/** Asks on the first visit to a trading page which colour means rising. The default depends on the language. */
export function RiseColourOffer() {
  const [isFirst] = useState(() => {
    const { isRiseOffered, riseColour } = usePreferences.getState();
    return !isRiseOffered && riseColour === null;
  });
  const isAnswered = usePreferences(({ riseColour }) => riseColour !== null);
  const [isClosed, setClosed] = useState(false);
  useEffect(() => {
    if (isFirst) setPreferences({ isRiseOffered: true });
  }, [isFirst]);
  if (!isFirst || isAnswered || isClosed) return null;
  return (
    <Late
      load={loadCard}
      failed={renderNothing}
      waiting={
        <Card>
          <Skeleton height={HEIGHT} />
        </Card>
      }
    >
      {(RiseOfferCard) => <RiseOfferCard onClose={() => setClosed(true)} />}
    </Late>
  );
}
