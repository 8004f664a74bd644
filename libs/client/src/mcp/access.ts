import type { KeyIdentity } from '../openapi';
import { SendRefused } from '../send/refused';

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema is any JSON
export type JsonSchema = Record<string, any>;

interface Operation {
  operationId: string;
  'x-access': { keys: string[]; permission: string | string[]; partners?: boolean };
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
}

/** The OpenAPI document of the API that the server asks, so that shapes and permissions are those of its release. */
export interface ApiDocument {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** @throws SendRefused */
export async function readDocument(url: string): Promise<ApiDocument> {
  const response = await fetch(new URL('/openapi.json', url)).catch(() => undefined);
  if (response?.ok) return (await response.json()) as ApiDocument;
  throw new SendRefused(
    'INVALID_COMMAND',
    `There is no Startline API at ${url}${response ? ` (${response.status})` : ''}. Check --url or STARTLINE_URL.`,
  );
}

/** What a key may do. */
export class Access {
  private readonly operations: Map<string, Operation['x-access']>;

  /** @throws SendRefused if the key can use none of the tools */
  constructor(
    document: ApiDocument,
    private readonly identity: KeyIdentity,
    key: string,
  ) {
    this.operations = new Map(
      Object.values(document.paths)
        .flatMap((item) => Object.values(item))
        .map((operation) => [operation.operationId, operation['x-access']]),
    );
    const kind = kindOf(key);
    if (kind !== 'ORGANIZER' || identity.eventOccurrenceIds.length > 0 || identity.endpoints.length > 0) {
      throw new SendRefused(
        'INVALID_COMMAND',
        `This key is ${kind === 'ORGANIZER' ? 'restricted to endpoints or events' : `of kind ${kind}`}. ` +
          'Use a key of kind ORGANIZER without restrictions; its permissions decide which tools there are.',
      );
    }
  }

  may(operation: string): boolean {
    const { permissions, partnerId } = this.identity;
    const access = this.operations.get(operation);
    if (!access?.keys.includes('ORGANIZER') || (partnerId && !access.partners)) return false;
    const needed: readonly string[] = [access.permission].flat();
    return permissions.length === 0 || permissions.some((each) => needed.includes(each));
  }
}

/** The claim of the token; anybody who holds it can read it. */
function kindOf(key: string): string {
  try {
    return JSON.parse(Buffer.from(key.split('.')[1] ?? '', 'base64url').toString()).kind;
  } catch {
    return 'UNKNOWN';
  }
}
