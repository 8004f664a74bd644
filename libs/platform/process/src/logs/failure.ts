/** PostgreSQL's class 22: the message quotes the value that was wrong. */
const DATA_EXCEPTION = /^22/;

interface Failing {
  name?: string;
  message?: unknown;
  code?: unknown;
  constraint?: unknown;
  table?: unknown;
  stack?: unknown;
}

/**
 * The properties of an error that are logged. Others, such as PostgreSQL's `detail` and `where` or TypeORM's parameters,
 * can contain data of rows and requests.
 */
export function failureOf(error: unknown): Record<string, unknown> {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  const { name, message, code, constraint, table, stack } = error as Failing;
  const quotesInput = error instanceof SyntaxError || DATA_EXCEPTION.test(String(code));
  const text = String(message ?? '');
  return {
    type: name,
    message: quotesInput ? text.replace(/".*"/s, '"…"') : text,
    code,
    constraint,
    table,
    stack: framesOf(stack),
  };
}

/** Removes the message from the beginning of the stack. */
const framesOf = (stack: unknown): string =>
  String(stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
