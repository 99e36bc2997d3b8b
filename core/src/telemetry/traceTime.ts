/** Milliseconds since 1970 with fractions, of the machine's own clock: when a span began or ended. */
export const traceTime = (): number => performance.timeOrigin + performance.now()
