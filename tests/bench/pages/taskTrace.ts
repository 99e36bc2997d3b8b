import type { Page } from 'playwright-core'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of processor. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

const MICROSECONDS = 1_000
const MAIN_THREAD = 'CrRendererMain'

/** Milliseconds of processor that each task of the page took while `work` ran: what else the machine does is not in them. */
export const taskTimes = async (page: Page, work: () => Promise<void>): Promise<readonly number[]> => {
  const devtools = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  // CAST: the browser's own format of traces.
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const ended = new Promise<void>((resolve) => devtools.once('Tracing.tracingComplete', () => resolve()))
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  })
  await work()
  await devtools.send('Tracing.end')
  await ended
  await devtools.detach()
  const mains = new Set(events.filter(({ args }) => args?.name === MAIN_THREAD).map(({ pid, tid }) => `${pid} ${tid}`))
  return events
    .filter(({ name, ph, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && mains.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / MICROSECONDS)
}
