import { type ContentKind, type ContentLanguage, pictureUrl } from '@sathorn/api';
import { Banner } from '@sathorn/app/banner';
import { ActivityCard, ActivityHead, RichTextView } from '@sathorn/app/content';
import { Icon } from '@sathorn/ui';
import { useTexts } from '../../parts/texts/index.ts';
import { type Draft, isRulesKind, languageTagOf, richTextOfDraft, textDirectionOf } from './drafts.ts';

export interface PreviewProps {
  readonly kind: ContentKind;
  readonly language: ContentLanguage;
  readonly draft: Draft;
  /** The id of the picture, or an empty string. */
  readonly picture: string;
  readonly when: string;
  readonly theme: 'light' | 'dark';
  /** The computed values of rules, by their names in braces. */
  readonly values: Readonly<Record<string, string>>;
}

/** Draws the text with the app's own components at a phone's width, in the customer's direction and theme. */
export default function Preview({ kind, language, draft, picture, when, theme, values }: PreviewProps) {
  const { t } = useTexts();
  const { title, summary } = draft;
  const tree = richTextOfDraft(draft);
  const fill = (text: string): string =>
    text.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => values[name] ?? whole);
  const url = picture === '' ? '' : pictureUrl(picture);
  return (
    <div
      className="phone"
      data-theme={theme}
      lang={languageTagOf(language)}
      dir={textDirectionOf(language)}
      role="img"
      aria-label={t('content.preview')}
    >
      {/* `inert` disables the links and buttons of the preview. */}
      <div className="phone-screen" inert>
        {kind === 'notice' && (
          <div className="phone-modal">
            <b>{title}</b>
            <RichTextView tree={tree} />
            <span className="phone-button">{t('content.understood')}</span>
          </div>
        )}
        {kind === 'banner' && <Banner title={title} text={summary} art={url && <img src={url} alt="" />} />}
        {(kind === 'activity' || kind === 'welfare') && (
          <>
            <ActivityCard title={title} summary={summary} picture={url} when={when} />
            <ActivityHead title={title} picture={url} when={when} />
            <div className="phone-card">
              <RichTextView tree={tree} />
            </div>
          </>
        )}
        {(kind === 'about' || kind === 'intro' || kind === 'company') && (
          <div className="phone-card">
            {url && <img src={url} alt="" />}
            <b>{title}</b>
            <RichTextView tree={tree} />
          </div>
        )}
        {isRulesKind(kind) && (
          <div className="phone-card">
            <b>{fill(title)}</b>
            <RichTextView tree={JSON.parse(fill(JSON.stringify(tree))) as typeof tree} />
          </div>
        )}
        {(kind === 'scroll_notice' || kind === 'share') && (
          <div className="phone-card phone-line">
            <Icon name={kind === 'share' ? 'share' : 'bell'} size={16} />
            <span>{title}</span>
          </div>
        )}
      </div>
    </div>
  );
}
