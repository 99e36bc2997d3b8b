import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { serverCpuMs } from '../../simulation/command/serverCpu.js'
import type { Measurement } from '../table.js'
import type { PagesStage } from './pagesStage.js'

const CONSOLES = 100
const LIMIT_PERCENT = 5
/** Long enough for every call that comes again to come twice. */
const LOOKED_MS = 12_000

interface Poll {
  readonly path: string
  readonly everyMs: number
}

/** Calls that an open page makes again and again, and how often. */
const pollsOf = async ({ browser, host, session }: PagesStage, path: string): Promise<readonly Poll[]> => {
  const { page, context } = await browser.open(host.url, { like: session })
  const made = new Map<string, number[]>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (!pathname.includes('/api/')) return
    const call = `${pathname}${search}`
    made.set(call, [...(made.get(call) ?? []), performance.now()])
  })
  await page.goto(path)
  await wait(LOOKED_MS)
  await context.close()
  return [...made].flatMap(([call, [first, ...more]]) => {
    const last = more.at(-1)
    return first === undefined || last === undefined ? [] : [{ path: call, everyMs: (last - first) / more.length }]
  })
}

interface Answers {
  calls: number
  unchanged: number
}

/** One console: asks at its pace with what it has, beginning somewhere in its interval. */
const poll = async (
  { url, cookie, agent, until }: { url: string; cookie: string; agent: Agent; until: number },
  { path, everyMs }: Poll,
  answers: Answers,
): Promise<void> => {
  let etag: string | undefined
  await wait(Math.random() * everyMs)
  while (performance.now() < until) {
    const next = performance.now() + everyMs
    const answer = await get(`${url}${path}`, agent, {
      cookie,
      'accept-encoding': 'gzip, br',
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
    })
    if (answer.status !== 200 && answer.status !== 304) throw new Error(`${path} was answered with ${answer.status}`)
    answers.calls += 1
    if (answer.status === 304) answers.unchanged += 1
    etag = answer.etag ?? etag
    await wait(Math.max(0, Math.min(next, until) - performance.now()))
  }
}

const get = (
  url: string,
  agent: Agent,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly etag: string | undefined }> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { agent, headers }, (response) => {
      response.resume()
      response.once('error', reject)
      response.once('end', () => resolve({ status: response.statusCode ?? 0, etag: response.headers.etag }))
    })
      .once('error', reject)
      .end()
  })

/** What 100 consoles that are left open cost the host, beyond what it uses anyway. */
export const measureConsoles = async (stage: PagesStage): Promise<Measurement[]> => {
  const { host, session, world } = stage
  const ms = world.scale.pages.consoleSeconds * 1_000
  const polls = await pollsOf(stage, '/console')
  if (polls.length === 0) throw new Error('The console asks for nothing again')
  world.say(
    `pages: a console asks for ${polls.map(({ path, everyMs }) => `${path} every ${everyMs.toFixed(0)} ms`).join(', ')}`,
  )
  const cookie = (await session.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const used = async (work: () => Promise<unknown>): Promise<number> => {
    const before = serverCpuMs(host.pid) ?? Number.NaN
    const startedAt = performance.now()
    await work()
    return (((serverCpuMs(host.pid) ?? Number.NaN) - before) / (performance.now() - startedAt)) * 100
  }
  const answers: Answers = { calls: 0, unchanged: 0 }
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const open = () => {
    const client = { url: host.url, cookie, agent, until: performance.now() + ms }
    const consoles = Array.from({ length: CONSOLES }, () => polls.map((each) => poll(client, each, answers)))
    return Promise.all(consoles.flat())
  }
  const before = await used(() => wait(ms))
  const busy = await used(open)
  const after = await used(() => wait(ms))
  agent.destroy()
  world.say(
    `pages: ${answers.calls} calls, ${answers.unchanged} unchanged; % of a core: ${before.toFixed(1)} before, ${busy.toFixed(1)} with them, ${after.toFixed(1)} after`,
  )
  return [
    {
      case: 'x',
      what: `cost of ${CONSOLES} open consoles to the host`,
      unit: '% of a core',
      value: busy - (before + after) / 2,
      target: { of: 'value', limit: LIMIT_PERCENT, better: 'less' },
    },
  ]
}
