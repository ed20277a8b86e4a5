export * from '../authenticator.ts';
