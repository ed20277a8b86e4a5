import type { User } from '@sathorn/api';
import { failureText } from '@sathorn/app/client';
import { Late, renderNothing } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { practiceOf } from '@sathorn/app/practice';
import { formatCount } from '@sathorn/text';
import { Button, Card, ErrorState, ListRow, Skeleton, useText } from '@sathorn/ui';
import { LateRunning } from '../parts/account/late-running.tsx';
import { useAccount } from '../parts/account/use-account.ts';
import { useUnreadCount } from '../parts/notices/unread-notices.ts';
import { LOGIN } from '../paths.ts';
import { useSystemConfig } from '../shell/config.ts';
import { AssetsCard, AssetsSkeleton } from './assets-card.tsx';
import { CoinsCard } from './coins-card.tsx';
import { OwnAvatar } from './own-avatar.tsx';
import './account.css';
import '@sathorn/app/forms/form-page.css';

const loadOwedLine = () => import('../parts/evidence/owed-line.tsx');
const loadLogLine = () => import('../parts/evidence/log-line.tsx');
const loadDailyTotals = () => import('./daily-totals.tsx');

/** `#/pages/mine/mine`: the account. */
export default function Account() {
  const texts = useText();
  const { t, presentation } = texts;
  const { navigate } = useNavigation();
  const { user, isCustomer, error, retry, refresh } = useAccount();
  const unread = useUnreadCount();
  const hasPractice = useSystemConfig()?.practice_url != null;
  // The rows appear together with the cards above them, so that nothing moves.
  const isWaiting = isCustomer && !user && !error;

  return (
    <>
      <header className="mine-hero">
        {user ? (
          <>
            <OwnAvatar user={user} size={58} />
            <div className="mine-hero-who">
              <h1>
                <bdi>{user.nickname || user.username}</bdi>
              </h1>
              <p className="num">
                <span>
                  <bdi>{t('mine.id', { id: user.id })}</bdi>
                </span>
                {user.vip_level > 0 && (
                  <span>
                    <bdi>{t('mine.vip', { level: formatCount(user.vip_level, presentation) })}</bdi>
                  </span>
                )}
                {user.certification.primary === 'verified' && <span>{t('mine.verified')}</span>}
              </p>
            </div>
          </>
        ) : isCustomer ? (
          <>
            <Skeleton height={58} width={58} round />
            <div className="mine-hero-who stack">
              <Skeleton height={20} width={140} />
              <Skeleton height={12} width={90} />
            </div>
          </>
        ) : (
          <div className="mine-hero-who">
            <h1>{t('mine.guest')}</h1>
            <p>{t('mine.guest_lead')}</p>
          </div>
        )}
      </header>

      <div className="page mine-page">
        {user ? (
          <>
            <AssetsCard user={user} onFunded={refresh} />
            <Late load={loadOwedLine} failed={renderNothing} />
            <Late load={loadLogLine} failed={renderNothing} />
            <LateRunning user={user} />
            <CoinsCard coins={user.coins} />
            <Late load={loadDailyTotals} failed={renderNothing}>
              {(DailyTotals) => <DailyTotals user={user} />}
            </Late>
          </>
        ) : error ? (
          <Card>
            <ErrorState title={t('mine.failed')} action={{ label: t('shell.try_again'), onPress: retry }}>
              {failureText(error.failure, texts)}
            </ErrorState>
          </Card>
        ) : isCustomer ? (
          <AssetsSkeleton />
        ) : (
          <Card className="mine-guest">
            <Button onClick={() => navigate(LOGIN, { from: '/pages/mine/mine' })}>{t('login.submit')}</Button>
            {practiceOf === null && (
              <Button look="soft" onClick={() => navigate('/pages/login/regist', { from: '/pages/mine/mine' })}>
                {t('login.regist')}
              </Button>
            )}
          </Card>
        )}

        {user && error && (
          <p className="form-refusal" role="alert">
            <span>{t('mine.failed')}</span>
            <button type="button" className="mine-retry" onClick={retry}>
              {t('shell.try_again')}
            </button>
          </p>
        )}

        {!isWaiting && (
          <>
            <Card tight>
              <ListRow
                icon="list"
                title={t('mine.records')}
                onPress={() => navigate('/pages/Option/orderRecord/orderRecord')}
              />
              <ListRow
                icon="swap"
                title={t('screen.contract_orders')}
                onPress={() => navigate('/pages/contracts/orderList')}
              />
              <ListRow
                icon="ledger"
                title={t('screen.account_details')}
                onPress={() => navigate('/pages/accountDetails/accountDetails')}
              />
              <ListRow
                icon="bell"
                title={t('screen.notices')}
                value={
                  unread > 0 ? <span className="mine-unread">{formatCount(unread, presentation)}</span> : undefined
                }
                onPress={() => navigate('/pages/index/msgList')}
              />
            </Card>
            {user && (
              <Card tight>
                {hasPractice && (
                  <ListRow
                    icon="option"
                    title={t('screen.practice')}
                    onPress={() => navigate('/pages/practice/enter')}
                  />
                )}
                {practiceOf === null && (
                  <>
                    <ListRow
                      icon="wallet"
                      title={t('screen.wallets')}
                      onPress={() => navigate('/pages/mine/walletList')}
                    />
                    <ListRow
                      icon="document"
                      title={t('mine.certification')}
                      value={t(`mine.certification.${certificationOf(user)}`)}
                      onPress={() =>
                        navigate(
                          user.certification.primary === 'verified'
                            ? '/pages/mine/Certification/advanced'
                            : '/pages/mine/Certification/primary',
                        )
                      }
                    />
                    <ListRow icon="crown" title={t('screen.vip')} onPress={() => navigate('/pages/mine/vipLevel')} />
                  </>
                )}
                <ListRow icon="chart" title={t('screen.limits')} onPress={() => navigate('/pages/mine/limits')} />
                {practiceOf === null ? (
                  <ListRow icon="lock" title={t('screen.security')} onPress={() => navigate('/pages/mine/security')} />
                ) : (
                  <ListRow icon="key" title={t('mine.keys')} onPress={() => navigate('/pages/mine/security/keys')} />
                )}
              </Card>
            )}
            <Card tight>
              <ListRow
                icon="shield"
                title={t('screen.verify')}
                onPress={() => navigate('/pages/verify/index?tab=verify')}
              />
              <ListRow icon="settings" title={t('screen.settings')} onPress={() => navigate('/pages/mine/setting')} />
            </Card>
          </>
        )}
      </div>
    </>
  );
}

/** Returns the certification level to show. A level in progress takes precedence over a finished one. */
function certificationOf({ certification: { primary, advanced } }: User): User['certification']['primary'] {
  if (advanced !== 'none') return advanced;
  return primary;
}
