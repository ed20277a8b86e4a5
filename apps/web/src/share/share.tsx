import { listInvites, readConfig } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { usePreferences } from '@sathorn/app/preferences';
import { useSession } from '@sathorn/app/session';
import { PageBar } from '@sathorn/app/shell';
import { formatCount, formatDecimalText, textDirectionOf } from '@sathorn/text';
import { Button, Card, ErrorState, Icon, ListRow, Skeleton, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { brand } from '#brand';
import { useAccount } from '../parts/account/use-account.ts';
import { useCopyText } from '../parts/money/copy.tsx';
import { saveFile } from '../parts/money/save-file.ts';
import { useSystemConfig } from '../shell/config.ts';
import { drawPoster } from './draw-poster.ts';
import { ShareTexts } from './share-texts.tsx';
import './share.css';

const PEOPLE = '/pages/index/share/invited';

/** `#/pages/index/share`: shares the invitation. */
export default function Share() {
  return (
    <ShareTexts>
      <Body />
    </ShareTexts>
  );
}

function Body() {
  const { t } = useText<'share'>();
  const texts = useText();
  const { navigate } = useNavigation();
  const isCustomer = useSession(({ token }) => token !== null);
  const { user } = useAccount();
  const config = useRead(readConfig, { act: 'share' }, { freshForMs: 60_000 });
  const shared = config.data && 'code' in config.data ? config.data : undefined;
  // A customer without the permission to invite has a link without a code, which cannot be shared.
  const isDenied = isCustomer && user !== null && !user.invite_allowed;
  const isGuest = !isCustomer;
  return (
    <>
      <PageBar title={texts.t('screen.share')} />
      <div className="page">
        {config.error && !shared ? (
          <Card>
            <ErrorState
              title={t('share.failed')}
              action={{ label: t('shell.try_again'), onPress: () => void config.refetch() }}
            >
              {failureText(config.error.failure, texts)}
            </ErrorState>
          </Card>
        ) : isDenied ? (
          <Card className="share-denied">
            <p className="share-denied-line" role="status">
              <span className="share-mark">
                <Icon name="lock" size={20} />
              </span>
              <b>{t('share.denied')}</b>
            </p>
            <Button look="soft" onClick={() => navigate('/pages/service/index')}>
              {t('share.ask')}
            </Button>
          </Card>
        ) : shared && (isGuest || user) && (isGuest || shared.code !== '') ? (
          <Shared
            link={shared.url}
            code={isGuest ? null : shared.code}
            name={user ? user.nickname || user.username : null}
            text={shared.text}
          />
        ) : (
          <>
            <Skeleton height={418} />
            <Skeleton height={76} />
            <Skeleton height={48} />
          </>
        )}
        {isGuest && (
          <Card className="share-guest">
            <p className="muted">{t('share.guest')}</p>
            <Button onClick={() => navigate('/pages/login/login', { from: '/pages/index/share' })}>
              {t('login.submit')}
            </Button>
          </Card>
        )}
        {isCustomer && <People />}
      </div>
    </>
  );
}

function Shared({ link, code, name, text }: { link: string; code: string | null; name: string | null; text: string }) {
  const { t } = useText<'share'>();
  const copy = useCopyText();
  const isDemo = useSystemConfig()?.mode === 'demo';
  const picture = usePoster({ link, code, name, isDemo });
  const file = `${brand.id}-${code ?? 'share'}.png`;
  const save = () => picture.blob && saveFile(picture.blob, file);
  const share = async () => {
    if (!picture.blob) return;
    const files = [new File([picture.blob], file, { type: 'image/png' })];
    const whole = { files, title: brand.title, text: `${text} ${link}` };
    try {
      if (navigator.canShare?.(whole)) return await navigator.share(whole);
      if (navigator.share) return await navigator.share({ title: brand.title, text, url: link });
      // In a browser without a share sheet, the picture is saved instead.
      save();
    } catch (error) {
      // Closing the sheet is not an error.
      if (!(error instanceof DOMException && error.name === 'AbortError')) save();
    }
  };
  return (
    <>
      {picture.isFailed ? (
        <Card>
          <ErrorState title={t('share.failed')} />
        </Card>
      ) : picture.url ? (
        <img
          className="share-poster"
          src={picture.url}
          width={1080}
          height={1260}
          alt={code === null ? t('share.poster_guest') : t('share.poster', { code })}
        />
      ) : (
        <Skeleton height={418} />
      )}
      <Card className="share-link">
        <span className="share-mark">
          <Icon name="link" size={20} />
        </span>
        <span className="share-address">
          <b dir="ltr">{link.replace(/^https?:\/\//, '').replace('/#/pages/login/regist?code=', '/…')}</b>
          <small className="muted">{t(code === null ? 'share.link_guest' : 'share.link')}</small>
        </span>
        <Button look="soft" size="small" onClick={() => void copy(link)}>
          {t('share.copy')}
        </Button>
      </Card>
      <div className="share-acts">
        <Button look="soft" icon="download" disabled={!picture.blob} onClick={save}>
          {t('share.save')}
        </Button>
        <Button icon="share" disabled={!picture.blob} onClick={() => void share()}>
          {t('share.share')}
        </Button>
      </div>
    </>
  );
}

function usePoster({
  link,
  code,
  name,
  isDemo,
}: {
  link: string;
  code: string | null;
  name: string | null;
  isDemo: boolean;
}) {
  const { t } = useText<'share'>();
  const language = usePreferences((preferences) => preferences.language);
  const [drawn, setDrawn] = useState<{ blob: Blob; url: string } | null>(null);
  const [isFailed, setFailed] = useState(false);
  const poster = JSON.stringify({
    brand: brand.title,
    host: new URL(link).host,
    slogan: t('share.slogan'),
    lead: t('share.lead'),
    invites: name === null ? null : t('share.invites', { name }),
    code,
    risk: t('share.risk'),
    link,
    demo: isDemo ? t('demo.simulated') : null,
    language,
    direction: textDirectionOf(language),
  });
  useEffect(() => {
    let isGone = false;
    let url: string | null = null;
    drawPoster(JSON.parse(poster)).then(
      (blob) => {
        if (isGone) return;
        url = URL.createObjectURL(blob);
        setDrawn({ blob, url });
      },
      () => setFailed(true),
    );
    return () => {
      isGone = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [poster]);
  return { blob: drawn?.blob ?? null, url: drawn?.url ?? null, isFailed };
}

function People() {
  const { t, presentation } = useText<'share'>();
  const { navigate } = useNavigation();
  const { data } = useRead(listInvites, {}, { freshForMs: 10_000 });
  if (!data) return <Skeleton height={72} />;
  return (
    <>
      <Card tight>
        <ListRow
          icon="people"
          title={t('share.came', { count: data.came })}
          note={t('share.brought', {
            points: formatDecimalText(data.points, presentation),
            count: formatCount(data.certified, presentation),
          })}
          onPress={() => navigate(PEOPLE)}
        />
      </Card>
      <p className="share-rule">
        <Icon name="info" size={18} />
        <span>
          {t('share.rule', {
            points: formatDecimalText(data.rule.points, presentation),
            max: formatCount(data.rule.per_day, presentation),
          })}
        </span>
      </p>
    </>
  );
}
