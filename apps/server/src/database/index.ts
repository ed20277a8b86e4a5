export * from './sql.ts';
