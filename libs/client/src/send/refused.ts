/** The reason why a file cannot be sent. The message says what to do. */
export class SendRefused extends Error {
  override readonly name = 'SendRefused';

  constructor(
    readonly code: 'NOT_FOUND' | 'INVALID_COMMAND' | 'INVALID_FILE' | 'API_UNREACHABLE',
    message: string,
  ) {
    super(message);
  }
}
