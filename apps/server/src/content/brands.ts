import type { Currency } from '@sathorn/api';
import type { Language } from '@sathorn/text';

/** One white-label market of a deployment, as the server needs it; how it looks is in the app's own file of the brand. */
export interface Brand {
  readonly id: string;
  readonly title: string;
  readonly currency: Currency;
  readonly unit: string;
  readonly areaCode: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly isInviteRequired: boolean;
  /** A customer signs in again after so many days, however often the session is used. */
  readonly sessionLifeDays: number;
  readonly themeColour: string;
  readonly background: string;
}

export const BRANDS = {
  /** The default, for the Thai market. */
  sathorn: {
    id: 'sathorn',
    title: 'Sathorn',
    currency: 'BAHT',
    unit: 'THB',
    areaCode: '66',
    language: 'th',
    timeZone: 'Asia/Bangkok',
    isInviteRequired: true,
    sessionLifeDays: 180,
    themeColour: '#5d43e4',
    background: '#d2c8bc',
  },
} as const satisfies Record<string, Brand>;

/** The specification's code of app version 1.0.0. An app with a lower one asks its customer to update. */
export const APP_VERSION_CODE = 109;
