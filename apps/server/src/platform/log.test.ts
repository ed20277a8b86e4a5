import pg from 'pg';
import { expect, it } from 'vitest';
import { openTestDatabase } from './database/testing.ts';
import { openLog } from './log.ts';

it('logs a database error without the values of the row', async () => {
  const { owner, close } = await openTestDatabase();
  const client = new pg.Client(owner);
  await client.connect();
  try {
    await client.query('CREATE TEMP TABLE person (phone text UNIQUE)');
    const insert = () => client.query('INSERT INTO person VALUES ($1)', ['+66812345678']);
    await insert();
    const refused: unknown = await insert().catch((error: unknown) => error);
    expect(refused).toMatchObject({ detail: expect.stringContaining('+66812345678') });

    let lines = '';
    const log = openLog('test', 'warn', {
      write(line) {
        lines += line;
      },
    });
    log.error({ err: refused, where: 'here' }, 'a fault');
    log.error({ err: new Error('buying failed', { cause: refused }) }, 'a fault');
    expect(lines).toContain('person_phone_key');
    expect(lines).toContain('"where":"here"');
    expect(lines).not.toContain('81234');
  } finally {
    await client.end();
    await close();
  }
});
