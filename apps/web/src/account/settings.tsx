import { logoutCustomer } from '@sathorn/api';
import { useCall } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { practiceOf } from '@sathorn/app/practice';
import { riseColourOf, usePreferences } from '@sathorn/app/preferences';
import { endSession, useSession } from '@sathorn/app/session';
import { formatDate, formatDecimalText, hasNativeDigits, LANGUAGE_NAMES } from '@sathorn/text';
import { Button, Card, CardHead, Confirm, ListRow, Switch, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { LanguageSheet } from '../parts/account/language-sheet.tsx';
import { useAccount } from '../parts/account/use-account.ts';
import { keepOptionHabits, useOptionHabits } from '../parts/orders/option-habits.ts';
import { PageNotLoaded } from '../parts/read/not-loaded.tsx';
import { HOME } from '../paths.ts';
import { APP_VERSION } from '../shell/app-version.ts';
import { CalendarSheet, DigitsSheet, RiseColourSheet, ThemeSheet } from './display-sheets.tsx';
import { OwnAvatar } from './own-avatar.tsx';
import './settings.css';

type OpenSheet = 'language' | 'theme' | 'colours' | 'digits' | 'calendar' | 'logout' | null;

/** `#/pages/mine/setting`: the settings. */
export default function Settings() {
  const texts = useText();
  const { t, presentation } = texts;
  const { navigate, relaunch } = useNavigation();
  const { user, error, retry } = useAccount();
  const preferences = usePreferences();
  const isAtOnce = useOptionHabits(({ atOnceFor }) => user !== null && atOnceFor === user.id);
  const [open, setOpen] = useState<OpenSheet>(null);
  const logout = useCall(logoutCustomer, { quiet: true });
  const close = () => setOpen(null);

  // Runs when the customer leaves this page, because signing out earlier would redirect to sign-in.
  useEffect(
    () => () => {
      if (useSession.getState().isLeaving) endSession();
    },
    [],
  );
  const leave = async () => {
    // Signs out on this device whatever the server answers, because the token is deleted here.
    useSession.setState({ isLeaving: true });
    await logout.submit({});
    relaunch(HOME);
  };

  if (!user) {
    return <PageNotLoaded read={{ error, refetch: retry }} failed={t('mine.failed')} rows={8} />;
  }

  const contact = [user.phone, user.email].filter((entry) => entry !== null);
  const moment = new Date().toISOString();
  return (
    <div className="page setting">
      <Card tight>
        <ListRow
          title={t('setting.avatar')}
          value={<OwnAvatar user={user} size={40} />}
          onPress={() => navigate('/pages/mine/setting/avatar')}
        />
        <ListRow
          title={t('setting.nickname')}
          value={<bdi>{user.nickname || t('setting.none')}</bdi>}
          onPress={() => navigate('/pages/mine/setting/nickname')}
        />
        <ListRow title={t('regist.username')} value={<bdi>{user.username}</bdi>} />
        {practiceOf === null && (
          <ListRow
            title={t('setting.contact')}
            value={contact.length === 0 ? t('setting.none') : contact.map((entry) => <bdi key={entry}>{entry}</bdi>)}
            onPress={() => navigate('/pages/mine/setting/phone')}
          />
        )}
      </Card>

      <Card tight>
        <CardHead title={t('setting.security')} />
        {practiceOf === null && (
          <>
            <ListRow
              icon="lock"
              title={t('setting.password')}
              onPress={() => navigate('/pages/mine/setting/password')}
            />
            {user.has_paypass && (
              <ListRow
                icon="key"
                title={t('setting.trade_password')}
                onPress={() => navigate('/pages/mine/setting/tradePwd')}
              />
            )}
            <ListRow
              icon={user.has_paypass ? 'refresh' : 'key'}
              title={t(user.has_paypass ? 'setting.reset_paypass' : 'setting.set_paypass')}
              onPress={() => navigate('/pages/mine/setting/paypass')}
            />
            <ListRow icon="shield" title={t('screen.security')} onPress={() => navigate('/pages/mine/security')} />
          </>
        )}
        <ListRow icon="phone" title={t('setting.sessions')} onPress={() => navigate('/pages/mine/setting/sessions')} />
      </Card>

      <Card tight>
        <Switch
          label={t('setting.at_once')}
          note={t('setting.at_once_note')}
          checked={isAtOnce}
          onChange={(isOn) => keepOptionHabits({ atOnceFor: isOn ? user.id : null })}
        />
      </Card>

      <Card tight>
        <ListRow icon="bell" title={t('screen.notices')} onPress={() => navigate('/pages/mine/setting/push')} />
        <ListRow icon="headset" title={t('setting.help')} onPress={() => navigate('/pages/service/help')} />
      </Card>

      <Card tight>
        <CardHead title={t('setting.display')} />
        <ListRow
          icon="coin"
          title={t('setting.currency')}
          value={t(`currency.${user.currency}`)}
          onPress={() => navigate('/pages/mine/setting/chooseMoneyType')}
        />
        <ListRow
          icon="globe"
          title={t('setting.language')}
          value={LANGUAGE_NAMES[preferences.language]}
          onPress={() => setOpen('language')}
        />
        <ListRow
          icon="moon"
          title={t('setting.theme')}
          value={t(`setting.theme_${preferences.theme}`)}
          onPress={() => setOpen('theme')}
        />
        <ListRow
          icon="palette"
          title={t('setting.colours')}
          value={t(`setting.rise_${riseColourOf(preferences)}`)}
          onPress={() => setOpen('colours')}
        />
        {hasNativeDigits(preferences.language) && (
          <ListRow
            icon="edit"
            title={t('setting.digits')}
            value={<bdi>{formatDecimalText('1234.5', presentation)}</bdi>}
            onPress={() => setOpen('digits')}
          />
        )}
        {preferences.language === 'th' && (
          <ListRow
            icon="calendar"
            title={t('setting.calendar')}
            value={formatDate(moment, 'date', presentation)}
            onPress={() => setOpen('calendar')}
          />
        )}
      </Card>

      <Button look="soft" icon="exit" onClick={() => setOpen('logout')}>
        {t('setting.logout')}
      </Button>
      <p className="setting-version num">{t('setting.version', { version: APP_VERSION })}</p>

      <LanguageSheet open={open === 'language'} onClose={close} />
      <ThemeSheet open={open === 'theme'} onClose={close} />
      <RiseColourSheet open={open === 'colours'} onClose={close} />
      <DigitsSheet open={open === 'digits'} onClose={close} />
      <CalendarSheet open={open === 'calendar'} onClose={close} />
      <Confirm
        open={open === 'logout'}
        title={t('setting.logout_ask')}
        confirmLabel={t('setting.logout')}
        cancelLabel={t('shell.cancel')}
        onConfirm={leave}
        onCancel={close}
        busy={logout.isBusy}
      />
    </div>
  );
}
