import { expect, test } from 'vitest';
import { SCREENS, screenOf, TABS } from './paths.ts';
import { SCREEN_FILES } from './screens.ts';

/** Section 2 of the specification, copied by hand. */
const TAB_PATHS = ['index/index', 'optionRule/index', 'coinList/index', 'blindbox/index', 'mine/mine'];
const OTHER_PATHS = `
  Option/Option Option/Option_old Option/orderRecord/orderRecord
  index/singin index/companyProfile index/welfare index/welfareDetails index/msgList index/share index/web-view
  Lock-up/Lock-up Lock-up/productDetails/productDetails Lock-up/record/record
  login/login login/regist login/forgetPwd
  mine/setting mine/setting/avatar mine/setting/nickname mine/setting/phone mine/setting/tradeAccount mine/setting/password
  mine/setting/tradePwd mine/setting/paypass mine/setting/chooseMoneyType
  mine/Certification/primary mine/Certification/advanced mine/addWallet mine/walletList mine/vipLevel
  Recharge/Recharge Recharge/record Recharge/qrpay Recharge/bankpay Recharge/orderDetails
  Withdraw/Withdraw Withdraw/record Withdraw/orderDetails
  accountDetails/accountDetails
  Liquidity/Liquidity Liquidity/buy Liquidity/sell Liquidity/buyConfirm Liquidity/sellConfirm Liquidity/record
  contracts/contracts contracts/orderList service/index intro/intro activeList/index activeList/activeDetails
`
  .split(/\s+/)
  .filter(Boolean);
/** Pages that the specification does not list. */
const ADDITIONS = `
  Option/orderRecord/receipt Option/orderRecord/disputes index/share/invited blindbox/draw
  blindbox/records login/resetFactor login/stopReset mine/setting/push
  mine/setting/sessions mine/corrections mine/security mine/security/authenticator
  mine/security/activity mine/security/phishing mine/security/keys mine/limits
  mine/limits/change mine/limits/exclude coinList/alerts consent/index
  contracts/orderDetails contracts/waitingDetails contracts/recurring Lock-up/standing contracts/maker accountDetails/statement mine/portfolio
  service/help verify/index index/fame practice/enter
`
  .split(/\s+/)
  .filter(Boolean);
const CUSTOM_NAV = [
  'Option/Option',
  'index/share',
  'login/login',
  'Recharge/Recharge',
  'Withdraw/Withdraw',
  'contracts/contracts',
  'service/help',
  'service/index',
  'intro/intro',
  'activeList/index',
];
/** Pages that a visitor without a session may open. Adding one is a change that somebody reviews. */
const OPEN_PATHS = [
  ...TAB_PATHS,
  'index/companyProfile',
  'index/share',
  'index/web-view',
  'contracts/maker',
  'Lock-up/Lock-up',
  'login/login',
  'login/regist',
  'login/forgetPwd',
  'login/resetFactor',
  'login/stopReset',
  'service/help',
  'service/index',
  'intro/intro',
  'index/fame',
  'verify/index',
];

const pages = (names: readonly string[]) => names.map((name) => `/pages/${name}`).sort();

test('every path of the specification has a screen, and every other path is a known addition', () => {
  expect(SCREENS.map((screen) => screen.path).sort()).toEqual(pages([...TAB_PATHS, ...OTHER_PATHS, ...ADDITIONS]));
});

test('the five tabs are in the specification’s order, and / is home', () => {
  expect(TABS.map((screen) => screen.path)).toEqual(TAB_PATHS.map((name) => `/pages/${name}`));
  expect(screenOf('/')?.path).toBe('/pages/index/index');
});

test('lists the pages with their own navigation bar', () => {
  for (const name of CUSTOM_NAV) expect(screenOf(`/pages/${name}`)?.bar, name).toBe('own');
});

test('visitors may open exactly these pages', () => {
  expect(
    SCREENS.filter((screen) => screen.access === 'anyone')
      .map((screen) => screen.path)
      .sort(),
  ).toEqual(pages(OPEN_PATHS));
});

test('each path has a file, and no file lacks a path', () => {
  expect(Object.keys(SCREEN_FILES).sort()).toEqual(SCREENS.map((screen) => screen.path).sort());
});

test('no path occurs twice', () => {
  const paths = SCREENS.flatMap((screen) => [screen.path, ...(screen.also ?? [])]);
  expect(new Set(paths).size).toBe(paths.length);
});

test('settings are also found without the folder in between, and queries are ignored', () => {
  expect(screenOf('/pages/mine/tradePwd?from=x')).toBe(screenOf('/pages/mine/setting/tradePwd'));
  expect(screenOf('/pages/nothing')).toBeUndefined();
});
