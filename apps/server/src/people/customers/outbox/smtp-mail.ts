import type { createTransport } from 'nodemailer';
import type { MailAdapter } from './live-outbox.ts';

interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  /** True: TLS from the first byte. False: STARTTLS is required, unless `allowPlain`. */
  readonly secure: boolean;
  /** Allows a connection without TLS, for a relay on the same machine. */
  readonly allowPlain?: boolean;
  readonly user?: string;
  readonly password?: string;
  /** The sender, such as `A brand <no-reply@example.com>`. */
  readonly from: string;
}

const TIMEOUT_MS = 15_000;

/** Error codes of connection faults. Their messages help to fix them and name no recipient. */
const LINE_FAULTS: ReadonlySet<unknown> = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS']);

/** Removes the message of a mail server's reply, which may name the recipient; only its status codes are logged. */
function withoutRecipient(error: unknown): Error {
  const { code, command, response, responseCode, message } = error as Record<string, unknown>;
  const isOfLine = response === undefined && LINE_FAULTS.has(code);
  const details = isOfLine ? [code, message] : [code, command, responseCode];
  return new Error(`the mail server refused the message: ${details.filter(Boolean).join(' ')}`);
}

export function openSmtpMail({
  host,
  port,
  secure,
  allowPlain = false,
  user,
  password,
  from,
}: SmtpOptions): MailAdapter {
  const options = {
    host,
    port,
    secure,
    requireTLS: !secure && !allowPlain,
    ignoreTLS: allowPlain,
    ...(user !== undefined && password !== undefined ? { auth: { user, pass: password } } : {}),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Forbids attachments by file name or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  let transport: ReturnType<typeof createTransport> | undefined;
  return {
    send: async (to, subject, text) => {
      // A demo sends nothing, so it never loads the library.
      transport ??= (await import('nodemailer')).createTransport(options);
      // The address is passed as an object, so that a comma in it cannot add a second recipient.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text }).catch((error: unknown) => {
        throw withoutRecipient(error);
      });
    },
  };
}
