import { startEmbeddedPostgres } from '../../libs/platform/embedded-postgres/src';

// A parent of an embedded server, for tests to kill. It prints the address of the server; a line on its input stops
// it.
void startEmbeddedPostgres({ home: process.argv[2] ?? '', durable: process.argv[3] === 'durable' }).then(
  (server) => {
    process.stdout.write(`${JSON.stringify({ url: server.url, adopted: server.adopted })}\n`);
    process.stdin.once('data', () => void server.stop().then(() => process.exit(0)));
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
