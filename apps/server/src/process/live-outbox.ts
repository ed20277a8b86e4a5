import { openHttpSms, openLiveOutbox, openSmtpMail } from '../people/customers/index.ts';
import type { Config } from './config.ts';

/** Sends codes through the SMS gateway and the mail server of a live deployment. Throws if one is not configured. */
export function liveOutboxOf({ sms, mail }: Pick<Config, 'sms' | 'mail'>, onFault: (error: unknown) => void) {
  if (!sms || !mail) throw new Error('a live deployment needs SMS_URL and SMTP_URL to send codes');
  const url = new URL(mail.url);
  const secure = url.protocol === 'smtps:';
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return openLiveOutbox({
    sms: openHttpSms(sms),
    mail: openSmtpMail({
      host: url.hostname,
      port: Number(url.port || (secure ? 465 : 587)),
      secure,
      from: mail.from,
      ...(user && { user, password }),
    }),
    onFault,
  });
}
