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

  { path: '/pages/Option/Option', access: 'customer', bar: 'own', title: 'screen.option' },
  { path: '/pages/Option/Option_old', access: 'customer', bar: 'own', title: 'screen.option' },
  { path: '/pages/Option/orderRecord/orderRecord', access: 'customer', bar: 'title', title: 'screen.option_records' },
  {
    path: '/pages/Option/orderRecord/receipt',
    access: 'customer',
    bar: 'title',
    title: 'screen.option_result',
    addition: true,
  },
  { ...built('/pages/Option/orderRecord/disputes', 'dispute.title'), addition: true, bar: 'own' },

  { ...built('/pages/index/singin', 'screen.sign_in_daily'), bar: 'own' },
  built('/pages/index/companyProfile', 'screen.company', 'anyone'),
  built('/pages/index/welfare', 'screen.welfare'),
  { ...built('/pages/index/welfareDetails', 'screen.welfare'), bar: 'own' },
  built('/pages/index/msgList', 'screen.notices'),
  { ...built('/pages/index/share', 'screen.share', 'anyone'), bar: 'own' },
  { ...built('/pages/index/share/invited', 'screen.share'), bar: 'own', addition: true },
  built('/pages/index/web-view', 'screen.service', 'anyone'),

  { ...built('/pages/blindbox/draw', 'tab.blind_box'), bar: 'own', addition: true },
  { ...built('/pages/blindbox/records', 'tab.blind_box'), addition: true },

  { ...built('/pages/Lock-up/Lock-up', 'screen.lock_up', 'anyone'), bar: 'own' },
  { ...built('/pages/Lock-up/productDetails/productDetails', 'screen.lock_up_product'), bar: 'own' },
  built('/pages/Lock-up/record/record', 'screen.lock_up_records'),

  { ...built('/pages/login/login', 'screen.login', 'anyone'), bar: 'own' },
  { ...built('/pages/login/regist', 'screen.register', 'anyone'), bar: 'own' },
  built('/pages/login/forgetPwd', 'screen.forgot_password', 'anyone'),
  { ...built('/pages/login/resetFactor', 'screen.reset_factor', 'anyone'), addition: true },
  { ...built('/pages/login/stopReset', 'screen.stop_reset', 'anyone'), addition: true },

  built('/pages/mine/setting', 'screen.settings'),
  { ...built('/pages/mine/setting/avatar', 'screen.avatar'), also: ['/pages/mine/avatar'] },
  { ...built('/pages/mine/setting/nickname', 'screen.nickname'), also: ['/pages/mine/nickname'] },
  { ...built('/pages/mine/setting/phone', 'screen.phone'), also: ['/pages/mine/phone'] },
  { ...built('/pages/mine/setting/tradeAccount', 'screen.trade_account'), also: ['/pages/mine/tradeAccount'] },
  { ...built('/pages/mine/setting/password', 'screen.login_password'), also: ['/pages/mine/password'] },
  { ...built('/pages/mine/setting/tradePwd', 'screen.payment_password'), also: ['/pages/mine/tradePwd'] },
  { ...built('/pages/mine/setting/paypass', 'screen.payment_password'), also: ['/pages/mine/paypass'] },
  { ...built('/pages/mine/setting/chooseMoneyType', 'screen.currency'), also: ['/pages/mine/chooseMoneyType'] },
  { ...built('/pages/mine/setting/push', 'screen.notices'), bar: 'own', addition: true },
  { ...built('/pages/mine/setting/sessions', 'sessions.title'), addition: true },
  { ...built('/pages/mine/corrections', 'screen.account_details'), bar: 'own', addition: true },
  built('/pages/mine/Certification/primary', 'screen.certification_primary'),
  built('/pages/mine/Certification/advanced', 'screen.certification_advanced'),
  built('/pages/mine/addWallet', 'screen.add_wallet'),
  built('/pages/mine/walletList', 'screen.wallets'),
  { ...built('/pages/mine/vipLevel', 'screen.vip'), bar: 'own' },
  { ...built('/pages/mine/security', 'screen.security'), addition: true },
  { ...built('/pages/mine/security/authenticator', 'screen.authenticator'), addition: true },
  { ...built('/pages/mine/security/activity', 'screen.activity'), addition: true },
  { ...built('/pages/mine/security/phishing', 'screen.security'), bar: 'own', addition: true },
  {
    ...built('/pages/mine/security/keys', 'screen.security'),
    also: ['/pages/mine/security/keys/add'],
    bar: 'own',
    addition: true,
  },
  { ...built('/pages/mine/limits', 'screen.limits'), addition: true },
  { ...built('/pages/mine/limits/change', 'screen.limits'), bar: 'own', addition: true },
  { ...built('/pages/mine/limits/exclude', 'screen.limits'), bar: 'own', addition: true },

  { ...built('/pages/coinList/alerts', 'screen.alerts'), addition: true },
  { ...built('/pages/consent/index', 'screen.consent'), bar: 'own', addition: true },

  { ...built('/pages/Recharge/Recharge', 'screen.deposit'), bar: 'own' },
  built('/pages/Recharge/record', 'screen.deposit_records'),
  built('/pages/Recharge/qrpay', 'screen.deposit'),
  built('/pages/Recharge/bankpay', 'screen.deposit'),
  built('/pages/Recharge/orderDetails', 'screen.deposit_details'),
  { ...built('/pages/Withdraw/Withdraw', 'screen.withdraw'), bar: 'own' },
  built('/pages/Withdraw/record', 'screen.withdraw_records'),
  built('/pages/Withdraw/orderDetails', 'screen.withdraw_details'),
  built('/pages/accountDetails/accountDetails', 'screen.account_details'),

  { ...built('/pages/Liquidity/Liquidity', 'screen.liquidity'), bar: 'own' },
  { ...built('/pages/Liquidity/buy', 'screen.liquidity_buy'), bar: 'own' },
  { ...built('/pages/Liquidity/sell', 'screen.liquidity_sell'), bar: 'own' },
  { ...built('/pages/Liquidity/buyConfirm', 'screen.liquidity_buy'), bar: 'own' },
  { ...built('/pages/Liquidity/sellConfirm', 'screen.liquidity_sell'), bar: 'own' },
  built('/pages/Liquidity/record', 'screen.liquidity_records'),

  { ...built('/pages/contracts/contracts', 'screen.contracts'), bar: 'own' },
  built('/pages/contracts/orderList', 'screen.contract_orders'),
  { ...built('/pages/contracts/orderDetails', 'screen.contract_orders'), addition: true },
  { ...built('/pages/contracts/maker', 'screen.market_maker', 'anyone'), addition: true },

  { ...built('/pages/service/index', 'screen.service', 'anyone'), bar: 'own' },
  { ...built('/pages/accountDetails/statement', 'screen.account_details'), bar: 'own', addition: true },
  { ...built('/pages/mine/portfolio', 'mine.coins_profit'), addition: true },
  { ...built('/pages/service/help', 'screen.service', 'anyone'), bar: 'own', addition: true },
  { ...built('/pages/intro/intro', 'screen.intro', 'anyone'), bar: 'own' },
  { ...built('/pages/activeList/index', 'screen.activities'), bar: 'own' },
  { ...built('/pages/activeList/activeDetails', 'screen.activities'), bar: 'own' },

  // Pages on which anybody, without a session, may verify the platform.
  { path: '/pages/verify/index', access: 'anyone', bar: 'own', title: 'screen.verify', addition: true },
  { path: '/pages/index/fame', access: 'anyone', bar: 'own', title: 'tab.home', addition: true },
];

export const SCREEN_TABLE = createScreenTable(SCREENS, {
  home: '/pages/index/index',
  login: '/pages/login/login',
  signIn: '/pages/login/',
});
export const { home: HOME, login: LOGIN, tabs: TABS, screenOf } = SCREEN_TABLE;
