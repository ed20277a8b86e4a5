/**
 * Calls that are planned and have no handler yet. They answer HTTP 501 with an envelope, and no screen links to them.
 * A trailing `*` stands for a whole family of calls.
 */
export const PLANNED_CALLS: readonly string[] = [];
