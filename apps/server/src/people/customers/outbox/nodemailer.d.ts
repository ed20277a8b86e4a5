/** The part of nodemailer that smtp-mail.ts uses; the package ships no types. */
declare module 'nodemailer' {
  export interface SmtpTransportOptions {
    host: string;
    port: number;
    secure: boolean;
    requireTLS: boolean;
    ignoreTLS: boolean;
    auth?: { user: string; pass: string };
    connectionTimeout: number;
    greetingTimeout: number;
    socketTimeout: number;
    disableFileAccess: boolean;
    disableUrlAccess: boolean;
  }
  export interface Mail {
    from: string;
    to: { name: string; address: string };
    subject: string;
    text: string;
  }
  export function createTransport(options: SmtpTransportOptions): { sendMail(mail: Mail): Promise<unknown> };
}
