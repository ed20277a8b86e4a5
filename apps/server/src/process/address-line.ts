import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import type { Config } from './config.ts';

/** The address to open, and in a demo the account to sign in with. */
export function addressLine({ brand, baseUrl, mode, practiceOf }: Config): string {
  if (practiceOf !== null) return `${brand.title}, practice platform of ${practiceOf.origin}: ${baseUrl}`;
  if (mode !== 'demo') return `${brand.title}: ${baseUrl}`;
  const { username, password } = DEMO_CUSTOMER;
  return `${brand.title}, demo mode: ${baseUrl}   customer ${username}   password ${password}`;
}
