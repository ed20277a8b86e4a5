import { hash, randomUUID } from 'node:crypto';
import {
  changePassword,
  endSession,
  forgetPassword,
  listSessions,
  loginCustomer,
  logoutCustomer,
  readUser,
  sendSmsCode,
} from '@sathorn/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Bus } from '../../../platform/bus/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { type KeyedHash, keyedHashOf } from '../keyed-hash.ts';
import { openTestCustomers, type SignedUpCustomer, type TestCustomers } from '../testing-customers.ts';
import { openSessions, SESSION_IDLE_MS } from './sessions.ts';

const keyedHash = keyedHashOf(Buffer.alloc(32, 2));
let room: TestCustomers;
let mali: SignedUpCustomer;
beforeAll(async () => {
  room = await openTestCustomers();
});
afterAll(() => room.close());
beforeEach(async () => {
  room.clock.advance(2 * 24 * 3_600_000);
  mali = await room.signUp();
});

const login = async (who = mali): Promise<string> => {
  const { data } = await room.call(loginCustomer, { username: who.username, password: who.password });
  return data.token;
};
const isOpen = async (token: string): Promise<boolean> => (await room.call(readUser, {}, { token })).ret === 1;

/** Counts the database statements of sessions. */
function counting(database: Database): { database: Database; sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    database: {
      ...database,
      query: (statement, values) => {
        sent.push(statement.name);
        return database.query(statement, values);
      },
    },
  };
}

describe('a token', () => {
  it('is 256 random bits, and invalid at once after signing out', async () => {
    expect(mali.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await isOpen(mali.token)).toBe(true);
    const other = await login();
    const ended: string[] = [];
    room.bus.on('session_ended', ({ sessionId }) => ended.push(sessionId));
    expect((await room.call(logoutCustomer, {}, { token: mali.token })).ret).toBe(1);
    expect(await room.call(readUser, {}, { token: mali.token })).toMatchObject({
      ret: -1,
      refusal: 'session_required',
    });
    expect(await isOpen(other)).toBe(true);
    expect(ended).toHaveLength(1);
  });

  it.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(43)}=`, '../../etc/passwd', "' OR 1=1 --"])(
    '%j opens nothing',
    async (token) => {
      expect(await room.customers.sessions.resolve(token, room.clock.now())).toBeNull();
    },
  );

  it('is new at each sign-in, whatever token the request had', async () => {
    const planted = await room.signUp();
    for (const token of [planted.token, mali.token, 'A'.repeat(43)]) {
      const request = { username: mali.username, password: mali.password };
      const { data } = await room.call(loginCustomer, request, { token });
      expect([planted.token, mali.token, 'A'.repeat(43)]).not.toContain(data.token);
    }
    expect((await room.call(readUser, {}, { token: planted.token })).data.id).toBe(String(planted.id));
    expect(await isOpen('A'.repeat(43))).toBe(false);
  });

  it('E7 is invalid after a change of the password, except the one that changed it', async () => {
    const [other, third] = [await login(), await login()];
    const change = { old: mali.password, password: 'v8RtQ2zLw', confirm: 'v8RtQ2zLw' };
    expect((await room.call(changePassword, change, { token: other })).ret).toBe(1);
    expect([await isOpen(mali.token), await isOpen(other), await isOpen(third)]).toEqual([false, true, false]);
  });

  it('is invalid after a forgotten password, without exception', async () => {
    const other = await login();
    await room.call(sendSmsCode, { userphone: mali.phone, must: 'forget' });
    const request = {
      mode: 'phone',
      phone: mali.phone,
      code: await room.codeFor(mali.phone),
      password: 'v8RtQ2zLw',
      confirm: 'v8RtQ2zLw',
    };
    expect((await room.call(forgetPassword, request)).ret).toBe(1);
    expect([await isOpen(mali.token), await isOpen(other)]).toEqual([false, false]);
  });

  it('ends 180 days after signing in, however often it is used', async () => {
    const { sessions } = room.customers;
    const day = 24 * 3_600_000;
    for (let days = 0; days < 175; days += 25) {
      room.clock.advance(25 * day);
      expect(await sessions.resolve(mali.token, room.clock.now())).not.toBeNull();
      await room.room.sessions.flush();
    }
    expect(await room.room.sessions.list(mali.id, room.clock.now())).toHaveLength(1);
    room.clock.advance(5 * day);
    expect(await room.room.sessions.list(mali.id, room.clock.now())).toHaveLength(0);
    expect(await sessions.resolve(mali.token, room.clock.now())).toBeNull();
    expect(await room.sql('SELECT ended_by FROM customers.session WHERE customer = $1', [mali.id])).toEqual([
      { ended_by: 'too_old' },
    ]);
  });

  it('lives for 30 days from its last use; a clock that steps back revives no expired one', async () => {
    const { sessions } = room.customers;
    for (let day = 0; day < 3; day += 1) {
      room.clock.advance(SESSION_IDLE_MS - 3_600_000);
      expect(await sessions.resolve(mali.token, room.clock.now())).not.toBeNull();
      await room.room.sessions.flush();
    }
    room.clock.advance(SESSION_IDLE_MS);
    expect(await sessions.resolve(mali.token, room.clock.now())).toBeNull();
    const anHourAgo = new Date(room.clock.now().getTime() - 3_600_000);
    expect(await sessions.resolve(mali.token, anHourAgo)).toBeNull();
    expect(await room.sql('SELECT ended_by FROM customers.session WHERE customer = $1', [mali.id])).toEqual([
      { ended_by: 'idle' },
    ]);
  });

  it('is refused when the password changes while it is being checked', async () => {
    // Repeats the race many times: a session with the old password must never survive the change.
    const passwords = ['k7Wm2xPq', 'v8RtQ2zLw'];
    for (let round = 0; round < 6; round += 1) {
      const [old = '', password = ''] = round % 2 ? [passwords[1], passwords[0]] : passwords;
      const [, ...logins] = await Promise.all([
        room.call(changePassword, { old, password, confirm: password }, { token: mali.token }),
        ...Array.from({ length: 5 }, () => room.call(loginCustomer, { username: mali.username, password: old })),
      ]);
      for (const { ret, data } of logins) if (ret === 1) expect(await isOpen(data.token)).toBe(false);
      room.clock.advance(3_600_000);
    }
  });
});

describe('the list of sessions', () => {
  it('shows the customer’s own sessions; these can be ended, a stranger’s can not', async () => {
    const other = await login();
    const stranger = await room.signUp();
    const { data } = await room.call(listSessions, {}, { token: mali.token });
    expect(data.items).toHaveLength(2);
    expect(data.items.filter(({ current }) => current)).toHaveLength(1);
    expect(data.items[0]).toMatchObject({ device: 'Chrome, Android', address: '203.0.113.7' });
    const id = data.items.find(({ current }) => !current)?.id ?? '';

    const answers = await Promise.all(
      [id, 'nonsense', '00000000-0000-4000-8000-000000000000'].map((id) =>
        room.call(endSession, { id }, { token: stranger.token }),
      ),
    );
    for (const answer of answers) expect(answer.data).toEqual(answers[1]?.data);
    expect(await isOpen(other)).toBe(true);

    expect((await room.call(endSession, { id }, { token: mali.token })).ret).toBe(1);
    expect(await isOpen(other)).toBe(false);
    expect((await room.call(endSession, { id }, { token: mali.token })).refusal).toBe('session_unknown');
  });

  it('has at most a hundred entries: the least recently used one is ended to make room', async () => {
    for (let n = 0; n < 100; n += 1) {
      room.clock.advance(1_000);
      await login();
    }
    expect(await isOpen(mali.token)).toBe(false);
    const rows = await room.sql('SELECT 1 FROM customers.session WHERE customer = $1 AND ended_at IS NULL', [mali.id]);
    expect(rows).toHaveLength(100);
  });
});

describe('a row that somebody without the key put into the database', () => {
  const TOKEN = 'A'.repeat(43);
  const plant = (id: string, digest: Buffer): Promise<unknown> =>
    room.sql(
      `INSERT INTO customers.session (id, token_hash, customer, device, device_key, address, created_at, used_at) VALUES ($1, $2, $3, 'x', '', '', $4, $4)`,
      [id, digest, mali.id, room.clock.now()],
    );

  it('opens nothing, though it has the digest of a token of theirs', async () => {
    await plant(randomUUID(), hash('sha256', TOKEN, 'buffer'));
    expect(await isOpen(TOKEN)).toBe(false);
  });

  it('opens nothing, though it has the digest of a session of their own', async () => {
    const thief = await room.signUp();
    expect(await isOpen(thief.token)).toBe(true);
    const [own] = await room.sql<{ id: string; token_hash: Buffer }>(
      'DELETE FROM customers.session WHERE customer = $1 RETURNING id, token_hash',
      [thief.id],
    );
    room.clock.advance(6_000);
    await plant(own?.id ?? '', own?.token_hash ?? Buffer.of());
    expect(await isOpen(thief.token)).toBe(false);
    expect(await isOpen(mali.token)).toBe(true);
  });
});

describe('memory', () => {
  it('answers for five seconds without the database, then queries it again', async () => {
    const { database, sent } = counting(room.test.database);
    const sessions = openSessions({ database, bus: new Bus(), keyedHash, onFault: () => undefined });
    const now = room.clock.now();
    const at = (ms: number): Date => new Date(now.getTime() + ms);
    for (const ms of [0, 10, 2_000, 4_999])
      expect((await sessions.resolve(mali.token, at(ms)))?.customerId).toBe(mali.id);
    expect(sent).toEqual(['customers.find_sessions']);
    await sessions.resolve(mali.token, at(5_000));
    expect(sent).toHaveLength(2);
    await sessions.close();
  });

  it('computes the digest of a token only to read its session, and keeps none of an unknown token', async () => {
    const { database, sent } = counting(room.test.database);
    let digests = 0;
    const counted: KeyedHash = (purpose, ...parts) => {
      if (purpose === 'session.token') digests += 1;
      return keyedHash(purpose, ...parts);
    };
    const sessions = openSessions({ database, bus: new Bus(), keyedHash: counted, onFault: () => undefined });
    const now = room.clock.now();
    for (let n = 0; n < 20; n += 1) expect((await sessions.resolve(mali.token, now))?.customerId).toBe(mali.id);
    expect([digests, sent.length]).toEqual([1, 1]);
    const unknown = 'A'.repeat(43);
    for (let n = 0; n < 3; n += 1) expect(await sessions.resolve(unknown, now)).toBeNull();
    expect([digests, sent.length]).toEqual([4, 4]);
    await sessions.close();
  });

  it('queries once for many simultaneous requests', async () => {
    const { database, sent } = counting(room.test.database);
    const sessions = openSessions({ database, bus: new Bus(), keyedHash, onFault: () => undefined });
    const others = await Promise.all(Array.from({ length: 3 }, () => login()));
    const tokens = [mali.token, ...others];
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, i) => sessions.resolve(tokens[i % 4] ?? '', room.clock.now())),
    );
    expect(answers.every((session) => session?.customerId === mali.id)).toBe(true);
    expect(sent).toEqual(['customers.find_sessions']);
    await sessions.close();
  });

  it('forgets at once what ends here or is announced on the bus, and within five seconds what ends elsewhere', async () => {
    const elsewhere = room.openAnother();
    const now = room.clock.now();
    const at = (ms: number): Date => new Date(now.getTime() + ms);
    const session = await elsewhere.sessions.resolve(mali.token, now);
    expect(session).not.toBeNull();
    await room.call(logoutCustomer, {}, { token: mali.token });
    expect(await room.customers.sessions.resolve(mali.token, now)).toBeNull();
    expect(await elsewhere.sessions.resolve(mali.token, at(4_999))).not.toBeNull();
    expect(await elsewhere.sessions.resolve(mali.token, at(5_000))).toBeNull();

    const other = await login();
    const bus = new Bus();
    const third = room.openAnother({ bus });
    const opened = await third.sessions.resolve(other, now);
    bus.emit('session_ended', { sessionId: opened?.sessionId ?? '' });
    expect(await third.sessions.resolve(other, now)).toBeNull();
  });

  it('does not bring back a session that ended while it was being read', async () => {
    const { database } = room.test;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: Database = {
      ...database,
      query: async (statement, values) => {
        const rows = await database.query(statement, values);
        if (statement.name === 'customers.find_sessions') await held;
        return rows as never;
      },
    };
    const sessions = openSessions({ database: slow, bus: room.bus, keyedHash, onFault: () => undefined });
    const reading = sessions.resolve(mali.token, room.clock.now());
    await room.call(logoutCustomer, {}, { token: mali.token });
    release();
    expect(await reading).toBeNull();
    expect(await sessions.resolve(mali.token, room.clock.now())).toBeNull();
    await sessions.close();
  });

  it('writes the time of last use once a minute, for many in one statement', async () => {
    const { database, sent } = counting(room.test.database);
    const sessions = openSessions({ database, bus: new Bus(), keyedHash, onFault: () => undefined });
    const second = await login();
    const now = room.clock.now();
    for (const seconds of [0, 30, 61, 62, 90, 125]) {
      for (const token of [mali.token, second])
        await sessions.resolve(token, new Date(now.getTime() + seconds * 1_000));
      if (seconds === 90) await sessions.flush();
    }
    await sessions.flush();
    expect(sent.filter((name) => name === 'customers.touch_sessions')).toHaveLength(2);
    const rows = await room.sql<{ used_at: Date }>('SELECT used_at FROM customers.session WHERE customer = $1', [
      mali.id,
    ]);
    expect(rows.map(({ used_at }) => used_at)).toEqual(Array(2).fill(new Date(now.getTime() + 125_000)));
    await sessions.close();
  });

  it('reports a fault, and works again afterwards', async () => {
    let isDown = true;
    const { database } = room.test;
    const flaky: Database = {
      ...database,
      query: async (statement, values) =>
        isDown ? Promise.reject(new Error('down')) : database.query(statement, values),
    };
    const sessions = openSessions({ database: flaky, bus: new Bus(), keyedHash, onFault: () => undefined });
    await expect(sessions.resolve(mali.token, room.clock.now())).rejects.toThrow('down');
    isDown = false;
    expect((await sessions.resolve(mali.token, room.clock.now()))?.customerId).toBe(mali.id);
    await sessions.close();
  });
});

it('no unexpected fault was reported', () => expect(room.faults).toEqual([]));

it('sessions that ended or were last used half a year ago are deleted; those in use stay', async () => {
  const [left, ended] = [await login(), await login()];
  await room.call(logoutCustomer, {}, { token: ended });
  room.clock.advance(60_000);
  const stays = await login();
  await room.call(logoutCustomer, {}, { token: mali.token });
  const count = async (): Promise<number> =>
    (await room.sql('SELECT id FROM customers.session WHERE customer = $1', [mali.id])).length;
  expect(await count()).toBe(4);
  for (let day = 0; day < 160; day += 20) {
    // Listing also writes the times of last use that are only in memory.
    expect((await room.call(listSessions, {}, { token: stays })).ret).toBe(1);
    await room.customers.sweep();
    expect(await count()).toBe(4);
    room.clock.advance(20 * 24 * 3_600_000);
  }
  expect((await room.call(listSessions, {}, { token: stays })).ret).toBe(1);
  // Shortly before the session in use would expire as well.
  room.clock.advance(20 * 24 * 3_600_000 - 1_000);
  await room.customers.sweep();
  expect(await count()).toBe(2);
  expect([await isOpen(stays), await isOpen(left), await isOpen(ended)]).toEqual([true, false, false]);
});
