import { setPreferences, usePreferences } from '@sathorn/app/preferences';
import { Card, Icon, IconButton, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import './rise-offer.css';

const COLOURS = ['green', 'red'] as const;

/** On the first visit to a trading page, asks which colour means rising. The default depends on the language. */
export function RiseOffer() {
  const { t } = useText();
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
    <Card className="rise-offer">
      <div className="rise-offer-head">
        <b id="rise-offer">{t('rise.ask')}</b>
        <IconButton icon="cross" size={16} label={t('shell.close')} onClick={() => setClosed(true)} />
      </div>
      <fieldset className="rise-offer-ways" aria-labelledby="rise-offer">
        {COLOURS.map((colour) => (
          <button key={colour} type="button" onClick={() => setPreferences({ riseColour: colour })}>
            <span style={{ color: `var(--${colour})` }}>
              <Icon name="arrow-up" size={17} />
            </span>
            {t(`setting.rise_${colour}`)}
          </button>
        ))}
      </fieldset>
      <p className="cap">{t('rise.note')}</p>
    </Card>
  );
}
