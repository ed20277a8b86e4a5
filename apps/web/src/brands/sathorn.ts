import type { Brand } from './brand.ts';

/** The default brand, for the Thai market. */
export const brand: Brand = {
  id: 'sathorn',
  title: 'Sathorn',
  themeColour: '#5d43e4',
  background: '#d2c8bc',
  icon: '/icon.svg',
  baseUrl: '',
  locale: 'th',
  currency: 'BAHT',
  currencyUnit: 'THB',
  currencySymbols: { THB: '฿' },
  areaCode: '66',
  inviteRequired: true,
};
