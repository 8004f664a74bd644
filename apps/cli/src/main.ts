import { loadEnvFile, misspeltSettings } from '#platform/config';
import { run } from './run';

// Warnings of libraries do not belong in the output.
process.noDeprecation = true;

loadEnvFile();
const { env: environment, stdout, stderr } = process;
for (const warning of misspeltSettings()) stderr.write(`${warning}\n`);
// EPIPE: the reader, such as `head`, closed the pipe.
stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
void run(process.argv.slice(2), { environment, stdout, stderr }).then((code) => {
  process.exitCode = code;
});
