import { Button } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { TextArea } from '../../parts/field.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import type { RefusedAct } from '../../use-act.ts';

const OTHERS = ['zh', 'jp', 'ar', 'hi'] as const;
const TEXT_MAX = 600;

interface IncidentTexts {
  readonly text_en: string;
  readonly text_th: string;
  readonly text_zh?: string;
  readonly text_jp?: string;
  readonly text_ar?: string;
  readonly text_hi?: string;
}

/** Asks for the public text about an incident. English and Thai are required, the other languages optional. */
export function IncidentTextFields({
  title,
  act,
  note,
  children,
  template,
  refused,
  isBusy,
  onClose,
  onSend,
}: {
  title: string;
  /** The button; by default it publishes the text. */
  act?: string | undefined;
  note: string;
  /** Further fields, shown above the texts. */
  children?: ReactNode;
  /** Loads the suggested texts. Null until the affected parts are chosen, which disables the button. */
  template?: (() => Promise<Readonly<Record<string, string>>>) | null;
  refused: RefusedAct | null;
  isBusy: boolean;
  onClose: () => void;
  onSend: (texts: IncidentTexts) => Promise<void>;
}) {
  const { t } = useTexts();
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const write = (language: string, label: string) => (
    <TextArea
      key={language}
      label={label}
      lang={language === 'jp' ? 'ja' : language}
      dir="auto"
      maxLength={TEXT_MAX}
      value={texts[language] ?? ''}
      fault={refused?.fields[`text_${language}`]}
      onChange={({ target }) => setTexts({ ...texts, [language]: target.value })}
    />
  );
  return (
    <Dialog label={title} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const others = Object.fromEntries(
            OTHERS.flatMap((language) => (texts[language]?.trim() ? [[`text_${language}`, texts[language]]] : [])),
          );
          await onSend({ text_en: texts.en ?? '', text_th: texts.th ?? '', ...others });
        }}
      >
        <h2>{title}</h2>
        <p className="c">{note}</p>
        {children}
        {template !== undefined && (
          <div className="row">
            <Button
              size="small"
              look="soft"
              icon="edit"
              disabled={template === null}
              onClick={async () => template && setTexts(await template())}
            >
              {t('incidents.template')}
            </Button>
            <span className="c">{t('incidents.template_note')}</span>
          </div>
        )}
        {write('en', t('incidents.text_en'))}
        {write('th', t('incidents.text_th'))}
        <details>
          <summary>{t('pauses.more')}</summary>
          {OTHERS.map((language) => write(language, t(`pauses.text_${language}`)))}
        </details>
        <RefusalNote refused={refused} />
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" size="small" busy={isBusy}>
            {act ?? t('incidents.publish')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
