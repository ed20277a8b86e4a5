import { listSlides, readOptionTotals } from '@sathorn/api';
import { Banner } from '@sathorn/app/banner';
import { failureText, useRead } from '@sathorn/app/client';
import { Late, renderNothing, whenPageSettled } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { practiceOf } from '@sathorn/app/practice';
import { setPreferences, usePreferences } from '@sathorn/app/preferences';
import { useSession } from '@sathorn/app/session';
import { formatAsset, formatMoney, keepWordsWhole, type MessageKey } from '@sathorn/text';
import {
  Button,
  Card,
  CardHead,
  FittedText,
  Icon,
  IconButton,
  type IconName,
  Money,
  Skeleton,
  useText,
} from '@sathorn/ui';
import { useState } from 'react';
import { brand } from '#brand';
import { LateRunning } from '../parts/account/late-running.tsx';
import { useAccount } from '../parts/account/use-account.ts';
import { RateTime, useDisplayCurrency } from '../parts/account/use-display-currency.ts';
import { CoinRow } from '../parts/market/coin-row.tsx';
import { CoinViews, NoCoins } from '../parts/market/coin-views.tsx';
import { openCoinPage } from '../parts/market/open-coin-page.ts';
import { PriceOrigin } from '../parts/market/price-origin.tsx';
import { useCoins } from '../parts/market/tickers.ts';
import { type CoinView, viewCoins } from '../parts/market/view-coins.ts';
import { useUnreadCount } from '../parts/notices/unread-notices.ts';
import { NotLoaded } from '../parts/read/not-loaded.tsx';
import { isOffered, LOGIN } from '../paths.ts';
import { useIsConfigMissing, useSystemConfig } from '../shell/config.ts';
import './home.css';

const loadFirstCards = () => import('./first-cards.tsx');
// The wins load late, because they are below the first view.
const loadWins = async () => {
  await whenPageSettled();
  return { default: (await import('../companions.tsx')).RecentWins };
};

/** `/`: balances, actions, news and prices. */
export default function Home() {
  const isCustomer = useSession((session) => session.token !== null);
  return (
    <>
      <header className="home-hero">
        <HeroBar />
        {isCustomer ? <Assets /> : <Welcome />}
      </header>
      <div className="page home-body">
        {!isCustomer && (
          <Late load={loadFirstCards} waiting={<Skeleton height={FIRST_CARDS_HEIGHT} />} failed={renderNothing} />
        )}
        <Tools />
        <NoticeLine />
        <Quotes />
        {/* Below the first view, which must not move when it comes. */}
        {isCustomer && <LateRunning />}
        <Banners />
        <Late load={loadWins} failed={renderNothing} />
      </div>
    </>
  );
}

function HeroBar() {
  const { t } = useText();
  const { navigate } = useNavigation();
  const unread = useUnreadCount();
  return (
    <div className="home-bar">
      <h1>{brand.title}</h1>
      {practiceOf === null && (
        <IconButton icon="headset" label={t('screen.service')} onClick={() => navigate('/pages/service/index')} />
      )}
      <IconButton
        icon="bell"
        label={t('screen.notices')}
        dot={unread > 0}
        onClick={() => navigate('/pages/index/msgList')}
      />
    </div>
  );
}

function Welcome() {
  const { t } = useText();
  const { navigate } = useNavigation();
  return (
    <div className="home-welcome">
      <p className="home-welcome-title">{t('home.visitor_title')}</p>
      <p className="home-welcome-lead">{t('home.visitor_lead')}</p>
      <div className="home-welcome-ways">
        {practiceOf === null && (
          <Button size="small" onClick={() => navigate('/pages/login/regist')}>
            {t('home.sign_up')}
          </Button>
        )}
        <Button size="small" look="plain" onClick={() => navigate(LOGIN)}>
          {t('home.sign_in')}
        </Button>
      </div>
    </div>
  );
}

function Assets() {
  const texts = useText();
  const { t, presentation } = texts;
  const isHidden = usePreferences((preferences) => preferences.hideBalances);
  const { user, error, retry } = useAccount();
  const { data: totals } = useRead(readOptionTotals, {});
  const { display, isFailed } = useDisplayCurrency(user?.currency);
  const decimals = { minDecimals: display?.decimals ?? 2, maxDecimals: display?.decimals ?? 2 };
  const total = display && user && formatMoney(display.of(user.total), display.unit, presentation, decimals);
  const [beforeUnit, afterUnit] = total?.split(display?.unit ?? '') ?? [];
  return (
    <>
      <div className="home-caption">
        {t('home.total_assets')}
        <IconButton
          icon={isHidden ? 'eye-off' : 'eye'}
          size={16}
          label={t(isHidden ? 'home.show_balances' : 'home.hide_balances')}
          onClick={() => setPreferences({ hideBalances: !isHidden })}
        />
      </div>
      <p className="home-total num">
        {total ? (
          isHidden ? (
            <Money amount="0" hidden />
          ) : (
            <FittedText length={total.length}>
              <bdi dir="ltr">
                {beforeUnit}
                <span className="home-gold">{display.unit}</span>
                {afterUnit}
              </bdi>
            </FittedText>
          )
        ) : isFailed && user ? (
          <Money amount={user.total} asset="USDT" hidden={isHidden} fitted />
        ) : error && !user ? (
          '–'
        ) : (
          <Skeleton height={34} width={200} />
        )}
      </p>
      <p className="home-under num">
        {error && !user && (
          <>
            <span>{failureText(error.failure, texts)}</span>
            <button type="button" className="home-retry" onClick={retry}>
              {t('shell.try_again')}
            </button>
          </>
        )}
        {user && !isHidden && (
          <span>
            {t('home.about_usdt', {
              amount: formatAsset(user.total, 'USDT', presentation, { minDecimals: 2, maxDecimals: 2 }),
            })}
          </span>
        )}
        {totals && display && !isHidden && (
          <span>
            {t('home.today')}{' '}
            <span className="home-gold">
              <bdi dir="ltr">
                {formatMoney(display.of(totals.today), display.unit, presentation, { ...decimals, signed: true })}
              </bdi>
            </span>
          </span>
        )}
        {display && (
          <span>
            <RateTime of={display} />
          </span>
        )}
      </p>
    </>
  );
}

const CONTRACTS = '/pages/contracts/contracts';
const COIN_LIST = '/pages/coinList/index';
const TOOLS: readonly { path: string; icon: IconName; label: MessageKey }[] = [
  { path: '/pages/Recharge/Recharge', icon: 'download', label: 'screen.deposit' },
  { path: '/pages/Withdraw/Withdraw', icon: 'upload', label: 'screen.withdraw' },
  { path: CONTRACTS, icon: 'swap', label: 'screen.contracts' },
  { path: '/pages/index/singin', icon: 'calendar', label: 'screen.sign_in_daily' },
  { path: '/pages/index/share', icon: 'share', label: 'screen.share' },
  { path: '/pages/index/welfare', icon: 'gift', label: 'screen.welfare' },
  { path: COIN_LIST, icon: 'coin', label: 'home.tool_quotes' },
  { path: '/pages/Liquidity/Liquidity', icon: 'drop', label: 'screen.liquidity' },
  { path: '/pages/Lock-up/Lock-up', icon: 'lock', label: 'screen.lock_up' },
  { path: '/pages/index/companyProfile', icon: 'company', label: 'screen.company' },
  { path: '/pages/Option/orderRecord/orderRecord', icon: 'list', label: 'home.tool_records' },
  { path: '/pages/verify/index?tab=verify', icon: 'shield', label: 'home.tool_verify' },
];

/** The tools that a phone shows before the others are asked for, so that the prices are in the first view. */
const FIRST_TOOLS = 4;

function Tools() {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  const { navigate } = useNavigation();
  const { data: coins } = useCoins();
  // Hides the link to the market if no coin has a book.
  const hasMarket = !coins || coins.some(({ contracts }) => contracts);
  return (
    <Card>
      <nav className="home-tools" aria-label={t('home.tools')}>
        {TOOLS.filter(({ path }) => isOffered(path) && (path !== CONTRACTS || hasMarket)).map(
          ({ path, icon, label }, place) => (
            <button
              key={path}
              type="button"
              data-folded={place >= FIRST_TOOLS && !isOpen ? '' : undefined}
              onClick={() => navigate(path)}
            >
              <i>
                <Icon name={icon} />
              </i>
              {t(label)}
            </button>
          ),
        )}
        <button type="button" className="home-more" onClick={() => setOpen(!isOpen)}>
          <i>
            <Icon name={isOpen ? 'minus' : 'more'} />
          </i>
          {t(isOpen ? 'home.less_tools' : 'home.more_tools')}
        </button>
      </nav>
    </Card>
  );
}

/** Placeholders have the height of the content that replaces them. */
const FIRST_CARDS_HEIGHT = 258;
const NOTICE_HEIGHT = 44;
const BANNER_HEIGHT = 94;

/** The operators' scrolling notice; pressing it shows the full text. */
function NoticeLine() {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  const config = useSystemConfig();
  const isMissing = useIsConfigMissing();
  const text = config?.scroll_notice;
  if (!config && !isMissing) return <Skeleton height={NOTICE_HEIGHT} />;
  if (!text) return null;
  return (
    <button type="button" className="home-notice" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      <Icon name="bell" size={18} />
      <span className="unseen">{t('home.notice_line')}</span>
      <span className="home-notice-text">{text}</span>
      <span className="home-notice-arrow">
        <Icon name="down" size={14} />
      </span>
    </button>
  );
}

function Banners() {
  const { t } = useText();
  const { navigate } = useNavigation();
  const { data, isError } = useRead(listSlides, { position: 'home' }, { freshForMs: 60_000 });
  if (!data && !isError) return <Skeleton height={BANNER_HEIGHT} />;
  if (!data || data.length === 0) return null;
  return (
    <section className="home-banners" aria-label={t('home.banners')} tabIndex={data.length > 1 ? 0 : undefined}>
      {data.map((slide, place) => (
        <Banner
          key={slide.id}
          title={keepWordsWhole(slide.title)}
          text={keepWordsWhole(slide.text)}
          art={
            place === 0 && slide.picture === RECEIPT_PICTURE ? (
              <ReceiptArt />
            ) : (
              slide.picture && (
                // The first banner is part of the largest contentful paint, so it loads at once; the others load
                // lazily.
                <img
                  src={slide.picture}
                  alt=""
                  loading={place === 0 ? 'eager' : 'lazy'}
                  fetchPriority={place === 0 ? 'high' : 'low'}
                  onError={(event) => event.currentTarget.remove()}
                />
              )
            )
          }
          // The query of a banner's link contains an activity's id, so only the path is looked up.
          onPress={isOffered(slide.link.split('?')[0] ?? '') ? () => navigate(slide.link) : undefined}
        />
      ))}
    </section>
  );
}

const RECEIPT_PICTURE = '/pictures/banner-verify.svg';

/** Drawn inline, because the largest element of the first view must not wait for another request. */
function ReceiptArt() {
  return (
    <svg className="home-banner-art" viewBox="44 0 100 94" aria-hidden="true">
      <g transform="translate(58 6) rotate(6)">
        <path d="M0 0h60v88l-6-5-6 5-6-5-6 5-6-5-6 5-6-5-6 5-6-5-6 5z" fill="#fffdf9" />
        <path d="M8 12h36M8 21h44M8 29h36M8 64h32M8 71h22" stroke="#d2c8bc" strokeWidth="4" strokeLinecap="round" />
        <path d="M8 52l9-8 9 4 9-13 9 6 9-12" fill="none" stroke="#5d43e4" strokeWidth="2.5" strokeLinejoin="round" />
      </g>
      <circle cx="122" cy="70" r="17" fill="#0b7d57" stroke="#fffdf9" strokeWidth="2" />
      <path
        d="M114 70l6 6 11-13"
        fill="none"
        stroke="#fffdf9"
        strokeWidth="4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

function Quotes() {
  const texts = useText();
  const { t } = texts;
  const { navigate, switchTab } = useNavigation();
  const { data, error, refetch } = useCoins();
  const [view, setView] = useState<CoinView>('all');
  const favourites = usePreferences((preferences) => preferences.favourites);
  const coins = data && viewCoins(data, view, favourites);
  // Customers mark favourites on the page of all coins.
  const showAll = () => (view === 'favourites' ? switchTab(COIN_LIST) : setView('all'));
  return (
    <Card className="home-quotes">
      <CardHead title={t('home.quotes')} trail={<PriceOrigin origin={data?.[0]?.origin} />} />
      <CoinViews view={view} onView={setView} />
      {coins && coins.length === 0 && view !== 'all' ? (
        <NoCoins view={view} onAll={showAll} />
      ) : coins ? (
        <ul>
          {coins.map((coin) => (
            <CoinRow key={coin.code} coin={coin} onPress={openCoinPage(coin, navigate)} />
          ))}
        </ul>
      ) : (
        <NotLoaded read={{ error, refetch }} rows={8} />
      )}
    </Card>
  );
}
