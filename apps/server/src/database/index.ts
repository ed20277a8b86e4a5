export * from './assert-server.ts';
export * from './embedded-postgres.ts';
export * from './is-answering.ts';
export * from './migrate.ts';
export * from './open-database.ts';
export * from './own-login.ts';
export * from './postgres-connection.ts';
export * from './sql.ts';
