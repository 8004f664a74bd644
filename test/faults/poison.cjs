// Loaded into workers by --require: a row with one of these names ends the process that reads it, or never lets go of it.
const { parse } = JSON;
JSON.parse = (text, ...rest) => {
  if (typeof text === 'string' && text.includes('"POISON kill"')) process.kill(process.pid, 'SIGKILL');
  while (typeof text === 'string' && text.includes('"POISON hang"'));
  return parse(text, ...rest);
};
