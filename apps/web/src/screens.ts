import type { LoadScreen } from '@sathorn/app/late';

/** The screen of a path that is not built yet. */
export const coming: LoadScreen = () => import('./shell/coming.tsx');

/** The file of each path of `paths.ts`, each a chunk of its own. A test compares the two tables. */
export const SCREEN_FILES: Readonly<Record<string, LoadScreen>> = {
  '/pages/index/index': () => import('./home/home.tsx'),
  '/pages/optionRule/index': () => import('./options/option-hub.tsx'),
  '/pages/coinList/index': () => import('./coins/coin-list.tsx'),
  '/pages/mine/mine': () => import('./account/account.tsx'),
  '/pages/Option/Option': () => import('./options/option-trade.tsx'),
  '/pages/Option/Option_old': () => import('./options/option-ticket-only.tsx'),
  '/pages/Option/orderRecord/orderRecord': () => import('./options/order-records.tsx'),
  '/pages/Option/orderRecord/receipt': () => import('./options/option-receipt.tsx'),
  '/pages/index/msgList': () => import('./notices/notice-list.tsx'),
  '/pages/login/login': () => import('./sign-in/sign-in.tsx'),
  '/pages/login/regist': () => import('./sign-in/register.tsx'),
  '/pages/login/forgetPwd': () => import('./sign-in/forgot-password.tsx'),
  '/pages/mine/setting': () => import('./account/settings.tsx'),
  '/pages/mine/setting/avatar': () => import('./account/avatar.tsx'),
  '/pages/mine/setting/nickname': () => import('./account/nickname.tsx'),
  '/pages/mine/setting/phone': () => import('./account/phone.tsx'),
  '/pages/mine/setting/password': () => import('./account/login-password.tsx'),
  '/pages/mine/setting/tradePwd': () => import('./account/change-payment-password.tsx'),
  '/pages/mine/setting/paypass': () => import('./account/reset-payment-password.tsx'),
  '/pages/mine/setting/chooseMoneyType': () => import('./account/display-currency.tsx'),
  '/pages/mine/setting/sessions': () => import('./account/sessions.tsx'),
  '/pages/Recharge/Recharge': () => import('./deposits/deposit.tsx'),
  '/pages/Recharge/record': () => import('./deposits/deposit-records.tsx'),
  '/pages/Recharge/qrpay': () => import('./deposits/qr-pay.tsx'),
  '/pages/Recharge/bankpay': () => import('./deposits/bank-pay.tsx'),
  '/pages/Recharge/orderDetails': () => import('./deposits/deposit-details.tsx'),
  '/pages/Withdraw/Withdraw': () => import('./withdrawals/withdraw.tsx'),
  '/pages/Withdraw/record': () => import('./withdrawals/withdrawal-records.tsx'),
  '/pages/Withdraw/orderDetails': () => import('./withdrawals/withdrawal-details.tsx'),
  '/pages/accountDetails/accountDetails': () => import('./account/account-details.tsx'),
  '/pages/contracts/contracts': () => import('./contracts/contracts.tsx'),
  '/pages/contracts/orderList': () => import('./contracts/order-list.tsx'),
  '/pages/contracts/orderDetails': () => import('./contracts/order-details-screen.tsx'),
  '/pages/contracts/maker': () => import('./contracts/market-maker.tsx'),
  '/pages/Lock-up/Lock-up': () => import('./earning/lockup-list.tsx'),
  '/pages/Lock-up/productDetails/productDetails': () => import('./earning/lockup-product.tsx'),
  '/pages/Lock-up/record/record': () => import('./earning/lockup-record.tsx'),
  '/pages/Liquidity/Liquidity': () => import('./earning/liquidity-home.tsx'),
  '/pages/Liquidity/buy': () => import('./earning/liquidity-buy.tsx'),
  '/pages/Liquidity/buyConfirm': () => import('./earning/liquidity-buy-confirm.tsx'),
  '/pages/Liquidity/sell': () => import('./earning/liquidity-sell.tsx'),
  '/pages/Liquidity/sellConfirm': () => import('./earning/liquidity-sell-confirm.tsx'),
  '/pages/Liquidity/record': () => import('./earning/liquidity-record.tsx'),
  '/pages/verify/index': () => import('./receipts/verify.tsx'),
};

/** The code of a screen by its path in the table. */
export const lazyScreen = (path: string): LoadScreen => SCREEN_FILES[path] ?? coming;
