import { loadEnvFile } from '#libs/config';
import { run } from './run';

// What a library tells its developers is nothing to the reader of an answer.
process.noDeprecation = true;

loadEnvFile();
const { env: environment, stdout, stderr } = process;
void run(process.argv.slice(2), { environment, stdout, stderr }).then((code) => {
  process.exitCode = code;
});
