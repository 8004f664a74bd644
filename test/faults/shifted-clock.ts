/** Loaded before the code of a process: shifts its clock by CLOCK_SHIFT_MS. */
const RealDate = Date;
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: [], newTarget) =>
    Reflect.construct(target, given.length ? given : [RealDate.now() + shiftMs], newTarget),
  get: (target, name) =>
    name === 'now' ? () => RealDate.now() + shiftMs : Reflect.get(target, name, target),
});
