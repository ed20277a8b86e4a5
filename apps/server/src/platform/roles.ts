export const ROLES = ['edge', 'index', 'matcher', 'settler', 'watcher', 'checker'] as const;
export type Role = (typeof ROLES)[number];
