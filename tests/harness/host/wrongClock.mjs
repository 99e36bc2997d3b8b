// Loaded before a program (`node --import`), so that its machine seems to have a clock that is off by WRONG_CLOCK_MS.
const off = Number(process.env.WRONG_CLOCK_MS ?? '0')
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [RealDate.now() + off] : parts))
  }

  static now() {
    return RealDate.now() + off
  }
}
