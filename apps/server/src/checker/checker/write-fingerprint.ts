/**
 * Writes the fingerprint of the schema that the migrations create in an empty database: `npm run schema`, after a new
 * migration.
 */
import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { openOwnCluster } from '../../platform/database/testing.ts';
import { describeSchema, SCHEMA_FINGERPRINT_FILE } from './schema.ts';

const cluster = await openOwnCluster({ fsync: 'off' });
const client = new pg.Client(cluster.checker);
await client.connect();
const schema = await describeSchema(client);
writeFileSync(SCHEMA_FINGERPRINT_FILE, `${JSON.stringify(schema, null, 2)}\n`);
await client.end();
await cluster.close();
console.log(`${Object.keys(schema.objects).length} objects of ${Object.keys(schema.migrations).length} migrations`);
