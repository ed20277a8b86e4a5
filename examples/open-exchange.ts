import { readFileSync } from 'node:fs';
import { Sathorn } from '@sathorn/ccxt';

/** Opens the platform that the environment names (see README.md). */
export function openExchange(): Sathorn {
  const { SATHORN_URL = 'http://localhost:3000', SATHORN_KEY = '', SATHORN_SECRET, SATHORN_PEM } = process.env;
  const secret = SATHORN_PEM === undefined ? (SATHORN_SECRET ?? '') : readFileSync(SATHORN_PEM, 'utf8');
  const url = SATHORN_URL.replace(/\/$/, '');
  const api = { rest: url, ws: `${url.replace(/^http/, 'ws')}/api/stream` };
  return new Sathorn({ urls: { api }, apiKey: SATHORN_KEY, secret });
}
