/** The ground colour of each coin's picture, which its letter has until the picture is drawn. */
export const COIN_COLOURS: Readonly<Record<string, string>> = {
  ADA: '#1f4fc4',
  BNB: '#d9a400',
  BTC: '#f7931a',
  DOGE: '#b59a3c',
  ETH: '#5b6bd6',
  SOL: '#17131f',
  TRX: '#cf2130',
  USDT: '#1a9c74',
  XRP: '#2f3b46',
};
