import type { OperatorSession } from '../../platform/edge/index.ts';

export const hasRole = ({ roles }: OperatorSession, ...wanted: readonly string[]): boolean =>
  roles.some((role) => wanted.includes(role));
