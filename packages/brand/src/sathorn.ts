import type { Brand } from './brand.ts';

/** The first brand, for the Thai market. */
export const brand: Brand = {
  id: 'sathorn',
  title: 'Sathorn',
  themeColour: '#5d43e4',
  background: '#d2c8bc',
  icon: '/icon.svg',
  baseUrl: '',
  locale: 'th',
  timeZone: 'Asia/Bangkok',
  currency: 'BAHT',
  currencyUnit: 'THB',
  currencySymbols: { THB: '฿' },
  areaCode: '66',
  otherAreaCodes: [],
  inviteRequired: true,
  demoInviteCode: 'WELCOME',
  sessionLifeDays: 180,
  helpLine: '1323',
  supportHours: { from: 8, to: 24 },
  hasBahtRails: true,
};
