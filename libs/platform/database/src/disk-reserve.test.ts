import type { Settings } from '#platform/config';
import { DiskReserve } from './disk-reserve';

it('measures again after ten seconds, also if the clock was set back', async () => {
  const now = performance.now();
  const passed = jest.spyOn(performance, 'now').mockReturnValue(now);
  const clock = jest.spyOn(Date, 'now');
  const settings = { DATABASE_SIZE_LIMIT_MB: 10, DISK_RESERVE_MB: 5 } as Settings;
  let bytes = 0;
  const reserve = new DiskReserve(settings, async () => ({ bytes }) as never);
  try {
    expect(await reserve.isFree()).toBe(true);
    bytes = 9_000_000;
    expect(await reserve.isFree()).toBe(true);
    clock.mockReturnValue(0);
    passed.mockReturnValue(now + 10_001);
    expect(await reserve.isFree()).toBe(false);
  } finally {
    clock.mockRestore();
    passed.mockRestore();
  }
});
