import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that a connection may have sent without a response to them. */
const MOST_UNANSWERED = 16;

/**
 * Handles the requests of a connection one after the other. Node would begin all requests that a client has sent, as many as
 * fit into what the kernel buffers, and hold their responses until the earlier ones are read.
 *
 * A connection with more unanswered requests is closed.
 */
export function handleInOrder(server: Server): void {
  const unanswered = new WeakMap<Socket, (() => void)[]>();
  const [handle, ...others] = server.listeners('request') as RequestListener[];
  if (!handle || others.length > 0) throw new Error('The server must have one listener for requests');
  server
    .removeListener('request', handle)
    .on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      // The parser emits the rest of what it has read.
      if (socket.destroyed) return;
      const waiting = unanswered.get(socket) ?? [];
      unanswered.set(socket, waiting);
      if (waiting.length >= MOST_UNANSWERED) return close(socket);
      response.once('close', () => {
        waiting.shift();
        // Its connection takes the next response already, unless it was closed.
        if (!socket.destroyed) waiting[0]?.();
      });
      waiting.push(() => handle(request, response));
      if (waiting.length === 1) waiting[0]?.();
    });
}

/** Ends the parsing of what has been read. */
const UPGRADE = 2;

/**
 * Closes a connection, and skips what its parser has read but not parsed: up to 64 KB, of which Node would make thousands of requests
 * (120 ms; 6 ms with this). Node has no interface for it. Without `onIncoming`, the connection is closed after them.
 */
function close(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: () => number } };
  if (parser?.onIncoming) parser.onIncoming = () => UPGRADE;
  socket.destroy();
}
