import {
  BANNER_PLACES,
  CONTENT_LANGUAGES,
  type ContentEntry,
  type ContentKind,
  type ContentLanguage,
  type ContentSettings,
  pictureUrl,
  saveContent,
} from '@sathorn/api';
import { Button, Icon } from '@sathorn/ui';
import { useState } from 'react';
import { sourceLanguage } from '#brand';
import { useKeys } from '../../keys.ts';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { Chips } from '../../parts/chips.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Facts, KeyHint } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { goToRoute } from '../../route.ts';
import { useAct } from '../../use-act.ts';
import {
  CONTENT_LANGUAGE_NAMES,
  type Draft,
  type Drafts,
  draftStateOf,
  draftsOf,
  isSameDraft,
  kindHasBody,
  kindHasSettings,
  richTextOfDraft,
  ruleValuesOf,
} from './drafts.ts';
import { ContentHistory } from './history.tsx';
import { LatePreview, LatePublishBar } from './late-parts.tsx';
import { PictureDialog } from './pictures.tsx';
import { TextEditor } from './text-editor.tsx';
import { useContentTexts } from './texts.ts';

const MARKS = { ok: 'check', warn: 'warning', missing: 'cross' } as const;
const OWN: ContentLanguage = sourceLanguage;

export interface EditorProps {
  /** Null for a new entry that has not been saved yet. */
  readonly entry: ContentEntry | null;
  readonly kind: ContentKind;
  readonly tab: string;
}

/** Edits the source language and a translation side by side, with the obstacles to publishing and a preview. */
export default function Editor({ entry, kind, tab }: EditorProps) {
  const { say } = useContentTexts();
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const isReadOnly = !hasAnyRole(operator, ['content']);
  const save = useAct(saveContent);
  const [language, setLanguage] = useState<ContentLanguage>(OWN);
  const kept = draftsOf(entry?.texts ?? []);
  const [typed, setTyped] = useState<Partial<Record<ContentLanguage, Draft>>>({});
  const drafts: Drafts = { ...kept, ...typed };
  const keptSettings = entry?.settings ?? { picture: '', link: '', place: 'home' as const };
  const [settings, setSettings] = useState<ContentSettings>(keptSettings);
  const [theme, setTheme] = useState<'light' | 'dark'>('light');
  const [insert, setInsert] = useState<((marks: string) => void) | null>(null);
  const [isChoosing, setChoosing] = useState(false);
  const [savedAt, setSavedAt] = useState<string | null>(null);

  const changed = CONTENT_LANGUAGES.filter((one) => {
    const draft = typed[one];
    return draft !== undefined && !isSameDraft(draft, kept[one]);
  });
  const areSettingsChanged = JSON.stringify(settings) !== JSON.stringify(keptSettings);
  const isUnsaved = changed.length > 0 || areSettingsChanged;

  /** Saves the languages one after another, because each save creates a version that the next one must name. */
  const saveAll = async () => {
    let [id, version] = [entry?.id, entry?.version ?? 0];
    const send = async (fields: Omit<Parameters<typeof save.run>[0], 'version' | 'kind'>): Promise<boolean> => {
      const done = await save.run({ ...fields, kind, version: String(version), ...(id !== undefined && { id }) });
      if (!done.ok) return false;
      [id, version] = [done.data.id, done.data.version];
      return true;
    };
    for (const lang of changed) {
      const draft = drafts[lang];
      const { title, summary } = draft;
      const body = kindHasBody(kind) ? { body: JSON.stringify(richTextOfDraft(draft)) } : {};
      if (!(await send({ lang, title, summary, ...body }))) return;
      setTyped(({ [lang]: _saved, ...rest }) => rest);
    }
    if (areSettingsChanged && !(await send({ lang: 'settings', ...settings }))) return;
    setSavedAt(new Date().toISOString());
    if (id !== undefined && id !== entry?.id) goToRoute('content', id, { tab });
  };
  useKeys({
    'mod+s': () => isUnsaved && void saveAll(),
    ...Object.fromEntries(CONTENT_LANGUAGES.map((one, place) => [String(place + 1), () => setLanguage(one)])),
  });

  const editorOf = (of: ContentLanguage, label: string) => (
    <TextEditor
      key={of}
      kind={kind}
      language={of}
      draft={drafts[of]}
      isReadOnly={isReadOnly}
      faults={save.refused?.fields ?? {}}
      onChange={(draft) => setTyped((before) => ({ ...before, [of]: draft }))}
      onPicture={(put) => setInsert(() => put)}
    >
      <span>{label}</span>
    </TextEditor>
  );
  return (
    <>
      <section className="card split pane editor" aria-label={say('edit')}>
        <div className="hd line wrap">
          <div className="row wrap languages" role="tablist" aria-label={t('content.language')}>
            {CONTENT_LANGUAGES.map((one) => {
              const state = draftStateOf(entry, one);
              return (
                <button
                  key={one}
                  type="button"
                  role="tab"
                  aria-selected={one === language}
                  className={one === language ? 'chip on' : 'chip'}
                  onClick={() => setLanguage(one)}
                >
                  {CONTENT_LANGUAGE_NAMES[one]}
                  <span className={state === 'ok' ? 'ok' : state === 'warn' ? 'wa' : 'da'}>
                    <Icon name={MARKS[state]} size={13} />
                    <span className="unseen">{t(`content.state.${state}`)}</span>
                  </span>
                </button>
              );
            })}
          </div>
          {!isReadOnly && (
            <span className="r">
              {savedAt && !isUnsaved && say('saved', { time: dateTime(savedAt) })}
              <Button size="small" look="soft" disabled={!isUnsaved} busy={save.isBusy} onClick={() => void saveAll()}>
                {say('save')} <KeyHint name="⌘S" />
              </Button>
            </span>
          )}
        </div>
        <div className="bd col scroll">
          <div className="sides" data-one={language === OWN ? '' : undefined}>
            {editorOf(OWN, say('source'))}
            {language !== OWN && editorOf(language, say('target'))}
          </div>
          <RefusalNote refused={save.refused} />
          {entry?.values && (
            <>
              <h3 className="c">{say('values')}</h3>
              <Facts
                facts={Object.entries(ruleValuesOf(entry, language)).map(([name, value]) => [`{${name}}`, value])}
              />
              <p className="c">{say('values_note', { hours: (entry.notice_days ?? 0) * 24 })}</p>
            </>
          )}
          {kindHasSettings(kind) && (
            <div className="schedule">
              <div className="labelled">
                <span className="c b">{t('content.picture')}</span>
                <button
                  type="button"
                  className="field picture-field"
                  disabled={isReadOnly}
                  onClick={() => setChoosing(true)}
                >
                  {settings.picture ? (
                    <img src={pictureUrl(settings.picture)} alt={settings.picture} />
                  ) : (
                    say('choose_picture')
                  )}
                </button>
              </div>
              {kind !== 'about' && kind !== 'intro' && kind !== 'company' && (
                <Field
                  label={say('leads_to')}
                  value={settings.link}
                  readOnly={isReadOnly}
                  placeholder="/pages/optionRule/index"
                  onChange={({ target }) => setSettings({ ...settings, link: target.value.trim() })}
                  fault={save.refused?.fields.link}
                />
              )}
              {kind === 'banner' && (
                <Select
                  label={say('place')}
                  value={settings.place}
                  disabled={isReadOnly}
                  onChange={({ target }) =>
                    setSettings({ ...settings, place: target.value as ContentSettings['place'] })
                  }
                  options={BANNER_PLACES.map((place) => [place, t(`content.place.${place}`)])}
                />
              )}
            </div>
          )}
          {entry && (
            <>
              <h3 className="c">{say('checks')}</h3>
              <ul className="checks">
                {entry.checks.map((check) => (
                  <li key={`${check.code}-${check.lang ?? ''}`} className="chk">
                    <span className={check.ok ? 'ok' : check.blocks && check.code !== 'language_missing' ? 'da' : 'wa'}>
                      <Icon name={check.ok ? 'check' : 'warning'} size={14} />
                    </span>
                    <span>
                      {check.lang && <b>{CONTENT_LANGUAGE_NAMES[check.lang as ContentLanguage] ?? check.lang}: </b>}
                      {code(check.ok ? 'content.good' : 'content.bad', check.code)}
                    </span>
                    <span className="m">
                      <bdi>{check.words.join(', ')}</bdi>
                    </span>
                  </li>
                ))}
              </ul>
              <LatePublishBar key={entry.id} entry={entry} isUnsaved={isUnsaved} />
              <ContentHistory entry={entry} />
            </>
          )}
        </div>
      </section>
      <section className="card split looks">
        <div className="hd line">
          <h2>{t('content.preview')}</h2>
          <span className="r">
            <Chips
              values={['light', 'dark'] as const}
              value={theme}
              onChange={setTheme}
              label={(one) => t(`content.theme.${one}`)}
            />
          </span>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must reach a region to scroll it */}
        <div className="bd scroll" tabIndex={0}>
          <LatePreview
            kind={kind}
            language={language}
            draft={drafts[language].title === '' ? drafts[OWN] : drafts[language]}
            picture={settings.picture}
            when={t('content.when')}
            theme={theme}
            values={ruleValuesOf(entry, language)}
          />
          <p className="c">{say('preview_note')}</p>
        </div>
      </section>
      {(insert !== null || isChoosing) && (
        <PictureDialog
          onChoose={({ id }) => {
            if (insert) insert(`\n\n![${say('describe')}](${id})\n\n`);
            else setSettings({ ...settings, picture: id });
          }}
          onClose={() => {
            setInsert(null);
            setChoosing(false);
          }}
        />
      )}
    </>
  );
}
