import { setPreferences, usePreferences } from '@sathorn/app/preferences';
import { LANGUAGE_NAMES, LANGUAGES, localeTagOf } from '@sathorn/text';
import { RadioList, Sheet, useText } from '@sathorn/ui';

/** Lists each language by its own name. A choice changes the app at once. */
export function LanguageSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useText();
  const language = usePreferences((preferences) => preferences.language);
  return (
    <Sheet open={open} onClose={onClose} title={t('setting.language')}>
      <RadioList
        legend={t('setting.language')}
        name="language"
        choices={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value], lang: localeTagOf(value) }))}
        value={language}
        onChange={(chosen) => {
          setPreferences({ language: chosen });
          onClose();
        }}
      />
    </Sheet>
  );
}
