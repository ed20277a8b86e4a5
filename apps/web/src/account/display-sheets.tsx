import { riseColourOf, setPreferences, usePreferences } from '@sathorn/app/preferences';
import { CALENDARS, DIGIT_CHOICES, formatDate, formatDecimalText } from '@sathorn/text';
import { Icon, RadioList, Sheet, useText } from '@sathorn/ui';

interface DisplaySheetProps {
  open: boolean;
  onClose: () => void;
}

const THEMES = ['system', 'light', 'dark'] as const;
const RISE_COLOURS = ['red', 'green'] as const;

export function ThemeSheet({ open, onClose }: DisplaySheetProps) {
  const { t } = useText();
  const theme = usePreferences((preferences) => preferences.theme);
  return (
    <Sheet open={open} onClose={onClose} title={t('setting.theme')}>
      <RadioList
        legend={t('setting.theme')}
        name="theme"
        choices={THEMES.map((value) => ({ value, label: t(`setting.theme_${value}`) }))}
        value={theme}
        onChange={(chosen) => {
          setPreferences({ theme: chosen });
          onClose();
        }}
      />
    </Sheet>
  );
}

export function RiseColourSheet({ open, onClose }: DisplaySheetProps) {
  const { t } = useText();
  const preferences = usePreferences();
  return (
    <Sheet open={open} onClose={onClose} title={t('setting.colours')}>
      <RadioList
        legend={t('setting.colours')}
        name="rise-colour"
        choices={RISE_COLOURS.map((value) => ({
          value,
          label: t(`setting.rise_${value}`),
          lead: (
            <span className="setting-swatch" aria-hidden="true">
              <span style={{ color: `var(--${value})` }}>
                <Icon name="arrow-up" size={18} />
              </span>
              <span style={{ color: `var(--${value === 'red' ? 'green' : 'red'})` }}>
                <Icon name="arrow-down" size={18} />
              </span>
            </span>
          ),
        }))}
        value={riseColourOf(preferences)}
        onChange={(chosen) => {
          setPreferences({ riseColour: chosen });
          onClose();
        }}
      />
    </Sheet>
  );
}

export function DigitsSheet({ open, onClose }: DisplaySheetProps) {
  const { t, presentation } = useText();
  const digits = usePreferences((preferences) => preferences.digits);
  return (
    <Sheet open={open} onClose={onClose} title={t('setting.digits')}>
      <RadioList
        legend={t('setting.digits')}
        name="digits"
        choices={DIGIT_CHOICES.map((value) => ({
          value,
          label: t(`setting.digits_${value}`),
          note: formatDecimalText('12345.67', { ...presentation, digits: value }),
        }))}
        value={digits}
        onChange={(chosen) => {
          setPreferences({ digits: chosen });
          onClose();
        }}
      />
    </Sheet>
  );
}

export function CalendarSheet({ open, onClose }: DisplaySheetProps) {
  const { t, presentation } = useText();
  const calendar = usePreferences((preferences) => preferences.calendar);
  const moment = new Date().toISOString();
  return (
    <Sheet open={open} onClose={onClose} title={t('setting.calendar')}>
      <RadioList
        legend={t('setting.calendar')}
        name="calendar"
        choices={CALENDARS.map((value) => ({
          value,
          label: t(`setting.calendar_${value}`),
          note: formatDate(moment, 'date', { ...presentation, calendar: value }),
        }))}
        value={calendar}
        onChange={(chosen) => {
          setPreferences({ calendar: chosen });
          onClose();
        }}
      />
    </Sheet>
  );
}
