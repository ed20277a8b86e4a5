import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import type { Config } from './config.ts';

/** What whoever has started the platform opens, and in a demo whom they sign in as. */
export function addressLine({ brand, baseUrl, mode }: Config): string {
  if (mode !== 'demo') return `${brand.title}: ${baseUrl}`;
  const { username, password } = DEMO_CUSTOMER;
  return `${brand.title}, demo mode: ${baseUrl}   customer ${username}   password ${password}`;
}
