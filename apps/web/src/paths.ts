import { isMissing, practiceOf } from '@sathorn/app/practice';
import { createScreenTable, type Screen } from '@sathorn/app/screen-table';
import type { MessageKey } from '@sathorn/text';

const tab = (path: Screen['path'], title: MessageKey, also: readonly string[] = []): Screen => ({
  path,
  also,
  access: 'anyone',
  bar: 'tab',
  title,
});
const built = (path: Screen['path'], title: MessageKey, access: Screen['access'] = 'customer'): Screen => ({
  path,
  access,
  bar: 'title',
  title,
});

/** A page that draws its own bar. */
const own = (path: Screen['path'], title: MessageKey, access?: Screen['access']): Screen => ({
  ...built(path, title, access),
  bar: 'own',
});

/**
 * Every hash path of the app, who may open it and which bar it has; `screens.ts` has its file. A test compares the
 * table with section 2 of the specification. Public pages have `access: 'anyone'`.
 */
export const SCREENS: readonly Screen[] = [
  tab('/pages/index/index', 'tab.home', ['/']),
  tab('/pages/optionRule/index', 'tab.options'),
  tab('/pages/coinList/index', 'tab.coins'),
  tab('/pages/blindbox/index', 'tab.blind_box'),
  tab('/pages/mine/mine', 'tab.mine'),

  own('/pages/Option/Option', 'screen.option'),
  own('/pages/Option/Option_old', 'screen.option'),
  built('/pages/Option/orderRecord/orderRecord', 'screen.option_records'),
  built('/pages/Option/orderRecord/receipt', 'screen.option_result'),
  own('/pages/Option/orderRecord/disputes', 'dispute.title'),

  own('/pages/index/singin', 'screen.sign_in_daily'),
  built('/pages/index/companyProfile', 'screen.company', 'anyone'),
  built('/pages/index/welfare', 'screen.welfare'),
  own('/pages/index/welfareDetails', 'screen.welfare'),
  built('/pages/index/msgList', 'screen.notices'),
  own('/pages/index/share', 'screen.share', 'anyone'),
  own('/pages/index/share/invited', 'screen.share'),
  built('/pages/index/web-view', 'screen.service', 'anyone'),

  own('/pages/blindbox/draw', 'tab.blind_box'),
  built('/pages/blindbox/records', 'tab.blind_box'),

  own('/pages/Lock-up/Lock-up', 'screen.lock_up', 'anyone'),
  own('/pages/Lock-up/productDetails/productDetails', 'screen.lock_up_product'),
  built('/pages/Lock-up/record/record', 'screen.lock_up_records'),
  own('/pages/Lock-up/standing', 'screen.lock_up'),

  own('/pages/login/login', 'screen.login', 'anyone'),
  own('/pages/login/regist', 'screen.register', 'anyone'),
  built('/pages/login/forgetPwd', 'screen.forgot_password', 'anyone'),
  built('/pages/login/resetFactor', 'screen.reset_factor', 'anyone'),
  built('/pages/login/stopReset', 'screen.stop_reset', 'anyone'),

  built('/pages/mine/setting', 'screen.settings'),
  { ...built('/pages/mine/setting/avatar', 'screen.avatar'), also: ['/pages/mine/avatar'] },
  { ...built('/pages/mine/setting/nickname', 'screen.nickname'), also: ['/pages/mine/nickname'] },
  { ...built('/pages/mine/setting/phone', 'screen.phone'), also: ['/pages/mine/phone'] },
  { ...built('/pages/mine/setting/tradeAccount', 'screen.trade_account'), also: ['/pages/mine/tradeAccount'] },
  { ...built('/pages/mine/setting/password', 'screen.login_password'), also: ['/pages/mine/password'] },
  { ...built('/pages/mine/setting/tradePwd', 'screen.payment_password'), also: ['/pages/mine/tradePwd'] },
  { ...built('/pages/mine/setting/paypass', 'screen.payment_password'), also: ['/pages/mine/paypass'] },
  { ...built('/pages/mine/setting/chooseMoneyType', 'screen.currency'), also: ['/pages/mine/chooseMoneyType'] },
  own('/pages/mine/setting/push', 'screen.notices'),
  built('/pages/mine/setting/sessions', 'sessions.title'),
  own('/pages/mine/corrections', 'screen.account_details'),
  built('/pages/mine/Certification/primary', 'screen.certification_primary'),
  built('/pages/mine/Certification/advanced', 'screen.certification_advanced'),
  built('/pages/mine/addWallet', 'screen.add_wallet'),
  built('/pages/mine/walletList', 'screen.wallets'),
  own('/pages/mine/vipLevel', 'screen.vip'),
  built('/pages/mine/security', 'screen.security'),
  built('/pages/mine/security/authenticator', 'screen.authenticator'),
  built('/pages/mine/security/activity', 'screen.activity'),
  own('/pages/mine/security/phishing', 'screen.security'),
  {
    ...built('/pages/mine/security/keys', 'screen.security'),
    also: ['/pages/mine/security/keys/add'],
    bar: 'own',
  },
  built('/pages/mine/limits', 'screen.limits'),
  own('/pages/mine/limits/change', 'screen.limits'),
  own('/pages/mine/limits/exclude', 'screen.limits'),

  built('/pages/coinList/alerts', 'screen.alerts'),
  own('/pages/consent/index', 'screen.consent'),

  own('/pages/Recharge/Recharge', 'screen.deposit'),
  built('/pages/Recharge/record', 'screen.deposit_records'),
  built('/pages/Recharge/qrpay', 'screen.deposit'),
  built('/pages/Recharge/bankpay', 'screen.deposit'),
  built('/pages/Recharge/orderDetails', 'screen.deposit_details'),
  own('/pages/Withdraw/Withdraw', 'screen.withdraw'),
  built('/pages/Withdraw/record', 'screen.withdraw_records'),
  built('/pages/Withdraw/orderDetails', 'screen.withdraw_details'),
  built('/pages/accountDetails/accountDetails', 'screen.account_details'),

  own('/pages/Liquidity/Liquidity', 'screen.liquidity'),
  own('/pages/Liquidity/buy', 'screen.liquidity_buy'),
  own('/pages/Liquidity/sell', 'screen.liquidity_sell'),
  own('/pages/Liquidity/buyConfirm', 'screen.liquidity_buy'),
  own('/pages/Liquidity/sellConfirm', 'screen.liquidity_sell'),
  built('/pages/Liquidity/record', 'screen.liquidity_records'),

  own('/pages/contracts/contracts', 'screen.contracts'),
  built('/pages/contracts/orderList', 'screen.contract_orders'),
  built('/pages/contracts/orderDetails', 'screen.contract_orders'),
  built('/pages/contracts/waitingDetails', 'screen.contract_orders'),
  built('/pages/contracts/recurring', 'screen.contract_orders'),
  built('/pages/contracts/maker', 'screen.market_maker', 'anyone'),

  own('/pages/service/index', 'screen.service', 'anyone'),
  own('/pages/accountDetails/statement', 'screen.account_details'),
  built('/pages/mine/portfolio', 'mine.coins_profit'),
  own('/pages/service/help', 'screen.service', 'anyone'),
  own('/pages/intro/intro', 'screen.intro', 'anyone'),
  own('/pages/activeList/index', 'screen.activities'),
  own('/pages/activeList/activeDetails', 'screen.activities'),

  // Pages on which anybody, without a session, may verify the platform.
  own('/pages/verify/index', 'screen.verify', 'anyone'),
  own('/pages/index/fame', 'tab.home', 'anyone'),

  // On the real platform the way to the practice account, and on the practice platform the way in.
  own('/pages/practice/enter', 'screen.practice', practiceOf === null ? 'customer' : 'anyone'),
];

export const SCREEN_TABLE = createScreenTable(
  SCREENS.filter(({ path }) => !isMissing(path)),
  practiceOf === null
    ? { home: '/pages/index/index', login: '/pages/login/login', signIn: '/pages/login/' }
    : { home: '/pages/index/index', login: '/pages/practice/enter', signIn: '/pages/practice/' },
);
export const { home: HOME, login: LOGIN, tabs: TABS, screenOf } = SCREEN_TABLE;
/** True if an address leads to a page that this platform has. */
export const isOffered = (address: string): boolean => screenOf(address) !== undefined;
