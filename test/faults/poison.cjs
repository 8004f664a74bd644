// Loaded into workers with --require: a row with one of these names ends the process that reads it, or blocks it
// forever.
const { parse } = JSON;
JSON.parse = (text, ...rest) => {
  if (typeof text === 'string' && text.includes('"POISON kill"')) process.kill(process.pid, 'SIGKILL');
  while (typeof text === 'string' && text.includes('"POISON hang"'));
  return parse(text, ...rest);
};
