export const SERVER_ROLES = ['edge', 'index', 'matcher', 'settler', 'watcher', 'checker'] as const;
export type ServerRole = (typeof SERVER_ROLES)[number];
