import type { OperatorRole } from '@sathorn/api';
import { beginSession, endSession, useSession } from '@sathorn/app/session';

/** The signed-in operator, as the session keeps them. */
export interface Operator {
  readonly id: string;
  readonly work_name: string;
  readonly roles: readonly OperatorRole[];
}

export const useOperator = (): Operator | null => useSession(({ user }) => user) as Operator | null;
export const enter = (token: string, operator: Operator): void => beginSession(token, operator);
export const leave = endSession;

export const may = (operator: Operator | null, roles: readonly OperatorRole[]): boolean =>
  operator?.roles.some((role) => roles.includes(role)) ?? false;
