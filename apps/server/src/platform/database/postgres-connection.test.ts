import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { connectionOf, connectionUrlOf } from './postgres-connection.ts';

const URL = 'postgres://owner:p%40ss%2F@db.example:5433/exchange';

describe('the address of a database', () => {
  it('survives being passed to a child process', () => {
    const roots = path.join(mkdtempSync(path.join(tmpdir(), 'sathorn-roots-')), 'roots.pem');
    writeFileSync(roots, 'certificate');
    const plain = connectionOf(`${URL}?options=-c%20role%3Dsathorn_app`);
    expect(plain).toEqual({
      host: 'db.example',
      port: 5433,
      database: 'exchange',
      user: 'owner',
      password: 'p@ss/',
      options: '-c role=sathorn_app',
    });
    for (const query of ['?sslmode=require', `?sslmode=verify-full&sslrootcert=${encodeURIComponent(roots)}`]) {
      const connection = connectionOf(URL + query);
      expect(connection.ssl?.rejectUnauthorized).toBe(true);
      expect(connectionOf(connectionUrlOf(connection))).toEqual(connection);
    }
    expect(connectionOf(connectionUrlOf(plain))).toEqual(plain);
    rmSync(path.dirname(roots), { recursive: true });
  });

  it('never claims encryption that may not be there', () => {
    for (const mode of ['prefer', 'allow', 'no-verify', ''])
      expect(() => connectionOf(`${URL}?sslmode=${mode}`)).toThrow('sslmode');
  });

  it('with sslmode=require sends no password to a server that can’t encrypt', async () => {
    let heard = Buffer.alloc(0);
    const server = createServer((socket) => {
      socket.on('data', (bytes: Buffer) => {
        heard = Buffer.concat([heard, bytes]);
        socket.write('N');
      });
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const client = new pg.Client(connectionOf(`postgres://owner:secret@127.0.0.1:${port}/x?sslmode=require`));
    await expect(client.connect()).rejects.toThrow(/SSL/);
    // Only the request for encryption was sent.
    expect(heard).toHaveLength(8);
    await new Promise((resolve) => server.close(resolve));
  });
});
