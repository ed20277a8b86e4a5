export * from './open-database.ts';
export * from './postgres-connection.ts';
export * from './sql.ts';
