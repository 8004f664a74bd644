type RefusedCode =
  | 'NOT_FOUND'
  | 'INVALID_COMMAND'
  | 'INVALID_FILE'
  /** A person must decide first; nothing was sent. */
  | 'UNDECIDED'
  | 'API_UNREACHABLE';

/** The exit codes of the command. 0: every row is imported; 1: some rows failed. */
const EXITS: Record<RefusedCode, number> = {
  NOT_FOUND: 2,
  INVALID_COMMAND: 2,
  INVALID_FILE: 2,
  UNDECIDED: 3,
  API_UNREACHABLE: 4,
};

/** The reason why a file cannot be sent. The message says what to do. */
export class SendRefused extends Error {
  override readonly name = 'SendRefused';

  constructor(
    readonly code: RefusedCode,
    message: string,
  ) {
    super(message);
  }

  get exitCode(): number {
    return EXITS[this.code];
  }
}
