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
 * What may be known of an error. PostgreSQL's `detail` and `where`, TypeORM's parameters and whatever else
 * hangs on an error carry rows and requests; so nothing is passed on but what is named here.
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

/** The stack begins with the message; only where it happened is kept. */
const framesOf = (stack: unknown): string =>
  String(stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
