import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiRequest } from '../request';

/** The part of the limit for which room is made at once, so that a flood of connections costs little. */
const ROOM = 0.01;

interface Connection {
  /** The organization of the last request; empty for callers without a key, and before the first response. */
  owner: string;
  /** The request in progress. */
  request?: ApiRequest;
}

/**
 * Keeps the number of connections within the limit. A new connection is accepted, and others are closed for it: of the
 * organization that has the most, those that are idle first, and those used longest ago first. Connections without a key count as one
 * organization, so that neither they nor a customer can use up the connections of others.
 *
 * @param onClose called for each connection that was closed
 */
export function limitConnections(server: Server, limit: number, onClose: () => void): void {
  /** In the order of their last use. */
  const open = new Map<Socket, Connection>();

  const use = (socket: Socket, connection: Connection): void => {
    if (!open.delete(socket)) return;
    open.set(socket, connection);
  };

  const makeRoom = (newest: Socket): void => {
    const groups = new Map<string, { idle: Socket[]; busy: Socket[]; left: number }>();
    for (const [socket, { owner, request }] of open) {
      if (socket === newest) continue;
      const name = request?.caller?.organizationId ?? owner;
      const group = groups.get(name) ?? { idle: [], busy: [], left: 0 };
      groups.set(name, group);
      group[request ? 'busy' : 'idle'].push(socket);
      group.left += 1;
    }
    for (let closed = 0; closed < Math.ceil(limit * ROOM); closed++) {
      const [most] = [...groups.values()].sort((left, right) => right.left - left.left);
      const socket = most?.idle.shift() ?? most?.busy.shift();
      if (!most || !socket) return;
      most.left -= 1;
      open.delete(socket);
      socket.destroy();
      onClose();
    }
  };

  server.on('connection', (socket: Socket) => {
    open.set(socket, { owner: '' });
    socket.once('close', () => open.delete(socket));
    if (open.size > limit) makeRoom(socket);
  });
  server.prependListener('request', (request: ApiRequest, response) => {
    const { socket } = request;
    const connection = open.get(socket);
    if (!connection) return;
    connection.request = request;
    use(socket, connection);
    response.once('close', () => {
      connection.owner = request.caller?.organizationId ?? '';
      // The next request may have arrived before this response was sent.
      if (connection.request === request) connection.request = undefined;
      use(socket, connection);
    });
  });
}
