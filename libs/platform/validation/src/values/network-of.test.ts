import { networkOf } from './network-of';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::1', networkOf('2001:db8:1:2:aaaa:bbbb:cccc:dddd')],
  ['no address', 'no address'],
])('counts %s for its network', (address, network) => expect(networkOf(address)).toBe(network));

it.each([
  ['192.0.2.7', '192.0.2.8'],
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
])('tells %s from %s', (one, other) => expect(networkOf(one)).not.toBe(networkOf(other)));
