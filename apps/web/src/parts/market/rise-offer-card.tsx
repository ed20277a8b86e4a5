import { setPreferences } from '@sathorn/app/preferences';
import { Card, Icon, IconButton, useText } from '@sathorn/ui';
import './rise-offer-card.css';

const COLOURS = ['green', 'red'] as const;

/** Asks the customer which colour means rising. */
export default function RiseOfferCard({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  return (
    <Card className="rise-offer">
      <div className="rise-offer-head">
        <b id="rise-offer">{t('rise.ask')}</b>
        <IconButton icon="cross" size={16} label={t('shell.close')} onClick={onClose} />
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
