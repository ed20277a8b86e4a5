import type { Currency } from '@sathorn/api';
import type { Language } from '@sathorn/text';

/**
 * A white-label brand with its appearance and market, for the server and the app. Each brand is a file; a build chooses
 * one (`BRAND=name`), and a deployment one, or several with a host name each (`BRANDS`).
 */
export interface Brand {
  readonly id: string;
  readonly title: string;
  readonly themeColour: string;
  readonly background: string;
  /** An SVG in the app's `public/`, from which the manifest's icons are also drawn. */
  readonly icon: string;
  /** The origin of `/api`; empty if it is the app's own. */
  readonly baseUrl: string;
  readonly locale: Language;
  /** The time zone that decides when a day begins. */
  readonly timeZone: string;
  readonly currency: Currency;
  readonly currencyUnit: string;
  /** The symbols that people see in place of a unit's code, such as ฿ for THB. */
  readonly currencySymbols: Readonly<Record<string, string>>;
  /** Country calling codes of the phones that receive codes: the brand's own here, others in `otherAreaCodes`. */
  readonly areaCode: string;
  readonly otherAreaCodes: readonly string[];
  readonly inviteRequired: boolean;
  /** An invite code for demos. It need not be secret, because a live deployment refuses it. */
  readonly demoInviteCode: string;
  /** A customer must sign in again after this many days, however often the session is used. */
  readonly sessionLifeDays: number;
  /** The phone number of a help line for people whom trading harms, in the brand's country; null for none. */
  readonly helpLine: string | null;
  /** The whole hours of a day, in the brand's zone, in which customer service answers; `to` may be 24. */
  readonly supportHours: { readonly from: number; readonly to: number };
  /** Bank transfer and PromptPay in baht, where the deployment has a bank account. */
  readonly hasBahtRails: boolean;
  /**
   * The custom properties of `packages/ui/src/style/tokens.css` that this brand overrides, by theme. Others keep their
   * defaults.
   */
  readonly tokens?: {
    readonly light: Readonly<Record<string, string>>;
    readonly dark: Readonly<Record<string, string>>;
  };
}
