import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isAllowed, type Lookup } from './addresses';
import { Sender } from './sender';

describe('refuses to send webhooks to', () => {
  it.each([
    ['loopback addresses', '127.0.0.1 127.8.8.8 0.0.0.0 ::1 ::'],
    [
      'private networks',
      '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 fc00::1 fd00:ec2::254 fec0::1',
    ],
    [
      'link-local addresses and metadata',
      '169.254.169.254 169.254.0.1 fe80::1 168.63.129.16 100.100.100.200 192.0.0.192',
    ],
    ['IPv4 addresses in IPv6', '::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 ::ffff:0:8.8.8.8'],
    [
      'addresses that a NAT64, 6to4 or Teredo gateway translates',
      '64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 2002:7f00:1::1 2001::1',
    ],
    [
      'multicast, reserved and documentation addresses',
      '224.0.0.1 ff02::1 255.255.255.255 240.0.0.1 192.0.2.1 2001:db8::1 3fff::1 100::1',
    ],
    ['invalid addresses', 'localhost 1.2.3 1.2.3.4.5 12345::'],
  ])('%s', (_, addresses) => {
    expect(addresses.split(' ').filter((address) => isAllowed(address))).toEqual([]);
  });

  it('allows public addresses, and the networks that the operator allows', () => {
    const isOpen = (address: string) =>
      isAllowed(address, [ipaddr.parseCIDR('10.1.0.0/16'), ipaddr.parseCIDR('fd00::/8')]);
    expect(['8.8.8.8', '2606:4700::1111'].every((address) => isAllowed(address))).toBe(true);
    expect(['10.1.2.3', 'fd12::1'].map(isOpen)).toEqual([true, true]);
    expect(['10.2.2.3', 'fe80::1', '127.0.0.1'].map(isOpen)).toEqual([false, false, false]);
  });
});

describe('address check when the socket connects', () => {
  let server: Server;
  let port: number;
  let requests = 0;
  beforeAll(async () => {
    server = createServer((_, response) => {
      requests += 1;
      response.writeHead(200, { connection: 'close' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    requests = 0;
  });

  const sending = async (url: string, allowedNetworks: string[], lookup?: Lookup) => {
    const networks = allowedNetworks.map((text) => ipaddr.parseCIDR(text));
    const sender = new Sender({ timeoutMs: 2_000, allowedNetworks: networks, lookup });
    try {
      const message = { url, id: 'id', body: '{}', keys: [Buffer.alloc(32)] };
      return [await sender.send(message), await sender.send(message)].map(
        ({ status, error }) => status ?? error,
      );
    } finally {
      await sender.close();
    }
  };

  it('rejects a name that resolves to another address than before', async () => {
    // The first address is allowed here and the second is not, although the server listens on both.
    const answers = ['127.0.0.1', '127.0.0.2'];
    const asked: string[] = [];
    const rebinding: Lookup = (hostname, _, callback) => {
      asked.push(hostname);
      callback(null, [{ address: answers[asked.length - 1] as string, family: 4 }]);
    };
    expect(await sending(`http://partner.example:${port}/`, ['127.0.0.1/32'], rebinding)).toEqual([
      200,
      'ADDRESS_REFUSED',
    ]);
    expect([asked, requests]).toEqual([['partner.example', 'partner.example'], 1]);
  });

  it('uses only the allowed addresses of a name', async () => {
    const both: Lookup = (_, __, callback) =>
      callback(null, [
        { address: '169.254.169.254', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    expect(await sending(`http://partner.example:${port}/`, ['127.0.0.0/8'], both)).toEqual([200, 200]);
  });

  it.each([
    'http://127.0.0.1',
    'http://2130706433',
    'http://0x7f.1',
    'http://[::ffff:127.0.0.1]',
    'http://localhost',
  ])('rejects %s', async (origin) => {
    expect(await sending(`${origin}:${port}/`, [])).toEqual(['ADDRESS_REFUSED', 'ADDRESS_REFUSED']);
    expect(requests).toBe(0);
  });
});

describe('the stored part of a response', () => {
  it.each([
    ['escapes', '\u0001'.repeat(5_000)],
    ['bytes that are not UTF-8', Buffer.alloc(5_000, 0xff)],
    ['quotes', '"'.repeat(5_000)],
  ])('has at most 4 KB of JSON, with %s', async (_, body) => {
    const server = createServer((__, response) => response.writeHead(200, { connection: 'close' }).end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const sender = new Sender({ timeoutMs: 600_000, allowedNetworks: [ipaddr.parseCIDR('127.0.0.0/8')] });
    try {
      const { port } = server.address() as AddressInfo;
      const message = { url: `http://127.0.0.1:${port}/`, id: 'id', body: '{}', keys: [Buffer.alloc(32)] };
      const { response } = await sender.send(message);
      const bytes = Buffer.byteLength(JSON.stringify(response));
      expect(bytes).toBeGreaterThan(3_000);
      expect(bytes).toBeLessThanOrEqual(4_098);
    } finally {
      await sender.close();
      server.close();
    }
  });
});
