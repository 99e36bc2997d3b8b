// Loaded before a program (`node --import`). At SIGUSR2 the clock of its machine seems to jump by WRONG_CLOCK_MS.
const RealDate = Date
let off = 0

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [RealDate.now() + off] : parts))
  }

  static now() {
    return RealDate.now() + off
  }
}

process.on('SIGUSR2', () => {
  off = Number(process.env.WRONG_CLOCK_MS)
  process.stderr.write('the clock jumped\n')
})
