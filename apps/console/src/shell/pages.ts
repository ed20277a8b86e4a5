import type { OperatorRole } from '@sathorn/api';
import type { LoadPart } from '@sathorn/app/late';
import type { IconName } from '@sathorn/ui';
import type { TextKey } from '../texts/index.ts';

export interface Page {
  readonly name: string;
  readonly title: TextKey;
  readonly icon: IconName;
  /** Follows `g`. */
  readonly letter: string;
  readonly group: TextKey | null;
  readonly roles: readonly OperatorRole[];
  /** The queue of the dashboard whose count stands beside it. */
  readonly queue: string | null;
  readonly load: LoadPart;
}

const ALL: readonly OperatorRole[] = ['support', 'compliance', 'finance', 'content', 'admin'];
const STAFF: readonly OperatorRole[] = ['support', 'compliance', 'finance', 'admin'];

/** What a role may not open is not in its navigation; the server refuses it besides. */
export const PAGES: readonly Page[] = [
  {
    name: 'dashboard',
    title: 'nav.dashboard',
    icon: 'home',
    letter: 'd',
    group: null,
    roles: ALL,
    queue: null,
    load: () => import('../pages/dashboard.tsx'),
  },
  {
    name: 'approvals',
    title: 'nav.approvals',
    icon: 'shield',
    letter: 'a',
    group: 'nav.queues',
    roles: ['compliance', 'finance', 'admin'],
    queue: 'approval',
    load: () => import('../pages/approvals.tsx'),
  },
  {
    name: 'withdrawals',
    title: 'nav.withdrawals',
    icon: 'upload',
    letter: 'w',
    group: 'nav.queues',
    roles: STAFF,
    queue: 'withdrawal',
    load: () => import('../pages/withdrawals.tsx'),
  },
  {
    name: 'deposits',
    title: 'nav.deposits',
    icon: 'download',
    letter: 'e',
    group: 'nav.queues',
    roles: STAFF,
    queue: 'deposit',
    load: () => import('../pages/deposits.tsx'),
  },
  {
    name: 'certifications',
    title: 'nav.certifications',
    icon: 'card',
    letter: 'c',
    group: 'nav.queues',
    roles: ['support', 'compliance'],
    queue: 'certification',
    load: () => import('../pages/certifications.tsx'),
  },
  {
    name: 'customers',
    title: 'nav.customers',
    icon: 'person',
    letter: 'u',
    group: 'nav.people',
    roles: STAFF,
    queue: null,
    load: () => import('../pages/customers.tsx'),
  },
  {
    name: 'operators',
    title: 'nav.operators',
    icon: 'headset',
    letter: 'o',
    group: 'nav.control',
    roles: ['admin'],
    queue: null,
    load: () => import('../pages/operators.tsx'),
  },
  {
    name: 'audit',
    title: 'nav.audit',
    icon: 'link',
    letter: 't',
    group: 'nav.control',
    roles: ALL,
    queue: null,
    load: () => import('../pages/audit.tsx'),
  },
  {
    name: 'me',
    title: 'nav.me',
    icon: 'key',
    letter: 'i',
    group: 'nav.control',
    roles: ALL,
    queue: null,
    load: () => import('../pages/me.tsx'),
  },
];
