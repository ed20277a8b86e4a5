import type { Currency } from '@sathorn/api';
import type { Language } from '@sathorn/text';

/**
 * One white-label appearance and market, of the server and of the app. A file each; a deployment and a build take one
 * (`BRAND=name`).
 */
export interface Brand {
  readonly id: string;
  readonly title: string;
  readonly themeColour: string;
  readonly background: string;
  /** Under the app's `public/`, an SVG that is also drawn into the manifest's icons. */
  readonly icon: string;
  /** Where the app finds `/api`; empty for the origin that serves it. */
  readonly baseUrl: string;
  readonly locale: Language;
  /** Where the brand's day begins. */
  readonly timeZone: string;
  readonly currency: Currency;
  readonly currencyUnit: string;
  /** How units of the server are written for people, where that differs: THB as ฿. */
  readonly currencySymbols: Readonly<Record<string, string>>;
  /** Of the phones that codes are sent to: the brand's own, and others that it serves. */
  readonly areaCode: string;
  readonly otherAreaCodes: readonly string[];
  readonly inviteRequired: boolean;
  /** Everybody may know it: it invites to a demonstration only. */
  readonly demoInviteCode: string;
  /** A customer signs in again after so many days, however often the session is used. */
  readonly sessionLifeDays: number;
}
