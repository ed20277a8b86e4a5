import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * What PostgreSQL tells of a refused row are its values: phone numbers, emails, hashes. The message and the constraint
 * say what is wrong.
 */
const VALUES = ['detail', 'parameters', 'internalQuery'].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

export function openLog(name: string, level: string, destination: DestinationStream): Logger {
  return pino({ name, level, redact: { paths: VALUES, remove: true } }, destination);
}
