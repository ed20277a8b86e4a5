import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { openHttpSms } from './http-sms.ts';
import { openLiveOutbox } from './live-outbox.ts';
import type { OutgoingMessage } from './outbox.ts';
import { openSmtpMail } from './smtp-mail.ts';

const delivery = (to: OutgoingMessage['to'], change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  to,
  subject: 'Sathorn: รหัสยืนยันของคุณ',
  text: '482913 คือรหัส',
  code: '482913',
  isForSomebody: true,
  ...change,
});
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const listen = async (server: net.Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
};

/** A minimal SMTP server that accepts mails. */
async function smtpSink(): Promise<{ port: number; mails: { from: string; to: string[]; body: string }[] }> {
  const mails: { from: string; to: string[]; body: string }[] = [];
  const server = net.createServer((socket) => {
    let mail = { from: '', to: [] as string[], body: '' };
    let isBody = false;
    let rest = '';
    socket.on('error', () => undefined);
    socket.write('220 sink\r\n');
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (isBody) {
          if (line !== '.') mail.body += `${line}\r\n`;
          else {
            isBody = false;
            mails.push(mail);
            mail = { from: '', to: [], body: '' };
            socket.write('250 kept\r\n');
          }
        } else if (/^EHLO/i.test(line)) socket.write('250-sink\r\n250 8BITMIME\r\n');
        else if (/^MAIL FROM:/i.test(line)) {
          mail.from = /<(.*?)>/.exec(line)?.[1] ?? '';
          socket.write('250 ok\r\n');
        } else if (/^RCPT TO:<nobody/i.test(line)) socket.write(`550 5.1.1 ${line.slice(8)}: no such user\r\n`);
        else if (/^RCPT TO:/i.test(line)) {
          mail.to.push(/<(.*?)>/.exec(line)?.[1] ?? '');
          socket.write('250 ok\r\n');
        } else if (/^DATA/i.test(line)) {
          isBody = true;
          socket.write('354 go on\r\n');
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else if (/^STARTTLS/i.test(line)) socket.write('502 no such thing\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  });
  return { port: await listen(server), mails };
}

describe('mail', () => {
  it('arrives at one recipient, in UTF-8', async () => {
    const { port, mails } = await smtpSink();
    const mail = openSmtpMail({
      host: '127.0.0.1',
      port,
      secure: false,
      allowPlain: true,
      from: 'Sathorn <no-reply@example.org>',
    });
    await mail.send('mali@example.org', 'Sathorn: รหัสยืนยันของคุณ', '482913 คือรหัส');
    await mail.send('a,b@example.org', 'x', 'y').catch(() => undefined);
    const [first] = mails;
    expect(first).toMatchObject({ from: 'no-reply@example.org', to: ['mali@example.org'] });
    expect(first?.body).toContain('To: mali@example.org');
    const [, encoded = ''] = first?.body.split('\r\n\r\n') ?? [];
    expect(Buffer.from(encoded, 'base64').toString()).toContain('482913 คือรหัส');
    for (const { to } of mails) expect(to).toHaveLength(1);
  });

  it('that is refused is a fault that names no recipient; a connection fault gives its reason', async () => {
    const { port } = await smtpSink();
    const fault = (to: string, at: number): Promise<unknown> =>
      openSmtpMail({ host: '127.0.0.1', port: at, secure: false, allowPlain: true, from: 'no-reply@example.org' })
        .send(to, 'Sathorn', '482913 คือรหัส')
        .catch((error: unknown) => error);
    const refused = inspect(await fault('nobody@example.org', port), { depth: null });
    expect(refused).toContain('EENVELOPE RCPT TO 550');
    expect(refused).not.toMatch(/nobody|482913/);
    expect(inspect(await fault('mali@example.org', 1))).toContain('ECONNREFUSED');
  });

  it('is not sent in clear unless that was allowed', async () => {
    const { port, mails } = await smtpSink();
    const mail = openSmtpMail({ host: '127.0.0.1', port, secure: false, from: 'no-reply@example.org' });
    await expect(mail.send('mali@example.org', 's', 't')).rejects.toThrow();
    expect(mails).toEqual([]);
  });
});

describe('SMS', () => {
  it('goes to the gateway as JSON; a refusal and a redirect are faults', async () => {
    const seen: { headers: Record<string, unknown>; body: unknown }[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        seen.push({ headers: request.headers, body: JSON.parse(body) });
        response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:9/' } : {}).end('{}');
      });
    });
    const port = await listen(server);
    const sms = openHttpSms({ url: `http://127.0.0.1:${port}/send`, token: 'secret', from: 'SATHORN' });
    await sms.send('+66812345678', '482913 คือรหัส');
    expect(seen[0]).toMatchObject({
      headers: { authorization: 'Bearer secret' },
      body: { to: '+66812345678', from: 'SATHORN', text: '482913 คือรหัส' },
    });
    status = 500;
    await expect(sms.send('+66812345678', 'x')).rejects.toThrow('500');
    status = 302;
    await expect(sms.send('+66812345678', 'x')).rejects.toThrow();
    server.closeAllConnections();
  });
});

describe('the live outbox', () => {
  const phone = { kind: 'phone', value: '+66812345678' } as const;
  const email = { kind: 'email', value: 'mali@example.org' } as const;
  const open = (failures: number) => {
    const sent: string[] = [];
    const faults: string[] = [];
    let left = failures;
    const send = async (to: string): Promise<void> => {
      left -= 1;
      if (left >= 0) throw new Error('the provider is down');
      sent.push(to);
    };
    const outbox = openLiveOutbox({
      sms: { send },
      mail: { send },
      onFault: (_error, kind) => faults.push(kind),
      retryAfterMs: [0, 0],
    });
    return { outbox, sent, faults };
  };

  it('sends through the right adapter, and nothing without a recipient', async () => {
    const { outbox, sent } = open(0);
    outbox.dispatch(delivery(phone));
    outbox.dispatch(delivery(email));
    outbox.dispatch(delivery(phone, { isForSomebody: false }));
    await outbox.drained();
    expect(sent).toEqual(['+66812345678', 'mali@example.org']);
  });

  it('tries three times, then reports', async () => {
    const twice = open(2);
    twice.outbox.dispatch(delivery(phone));
    await twice.outbox.drained();
    expect([twice.sent.length, twice.faults]).toEqual([1, []]);
    const always = open(99);
    always.outbox.dispatch(delivery(email));
    await always.outbox.drained();
    expect([always.sent, always.faults]).toEqual([[], ['email']]);
  });
});
