/**
 * A server that accepts a form, answers and does nothing else: the upper limit for HTTP on this machine. Its argument
 * is the port.
 */
import Fastify from 'fastify';

const app = Fastify({ logger: false });
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(body as string))),
);
app.post('/', async (_request, reply) => reply.type('application/json').send('{"ret":1,"msg":"","data":{}}'));
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
process.send?.('ready');
