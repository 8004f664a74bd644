import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { newSecret, SecretBox, signatureOf, signingKeyOf } from './secrets';

const key = (kid: string) => ({ kid, key: randomBytes(32) });

describe('SecretBox', () => {
  const [old, current] = [key('old'), key('current')];

  it('decrypts with any of its keys, and encrypts with the first', () => {
    const sealed = new SecretBox([old]).seal('whsec_a', 'here');
    const both = new SecretBox([current, old]);
    expect([both.open(sealed, 'here'), both.isCurrent(sealed)]).toEqual(['whsec_a', false]);
    const anew = both.seal('whsec_a', 'here');
    expect([new SecretBox([current]).open(anew, 'here'), both.isCurrent(anew)]).toEqual(['whsec_a', true]);
    expect(() => new SecretBox([current]).open(sealed, 'here')).toThrow('no key old');
  });

  it('rejects a ciphertext that was changed or moved to another row', () => {
    const box = new SecretBox([current]);
    const sealed = box.seal('whsec_a', 'here');
    expect(() => box.open(sealed, 'there')).toThrow();
    expect(() => box.open(`${sealed.slice(0, -6)}AAAAA=`, 'here')).toThrow();
    expect(box.seal('whsec_a', 'here')).not.toBe(sealed);
  });
});

it('creates signatures that standardwebhooks verifies, with each of two secrets', () => {
  const [first, second] = [newSecret(), newSecret()];
  const now = Math.floor(Date.now() / 1000);
  const headers = {
    'webhook-id': 'msg',
    'webhook-timestamp': String(now),
    'webhook-signature': signatureOf([first, second].map(signingKeyOf), 'msg', now, '{"a": 1}'),
  };
  for (const secret of [first, second])
    expect(new Webhook(secret).verify('{"a": 1}', headers)).toEqual({ a: 1 });
  expect(() => new Webhook(second).verify('{"a":1}', headers)).toThrow();
  expect(() => new Webhook(newSecret()).verify('{"a": 1}', headers)).toThrow();
});
