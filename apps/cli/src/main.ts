import { loadEnvFile } from '#libs/config';
import { run } from './run';

// What a library tells its developers is nothing to the reader of an answer.
process.noDeprecation = true;

loadEnvFile();
const { env: environment, stdout, stderr } = process;
// A reader like `head` has seen enough.
stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
void run(process.argv.slice(2), { environment, stdout, stderr }).then((code) => {
  process.exitCode = code;
});
