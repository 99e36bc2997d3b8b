import { writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { parseArgs } from 'node:util'
import { type BenchCase, CASES, chosenCases, GROUPS, secondsOf } from './benchCases.js'
import { openBenchWorld, type Scale } from './benchWorld.js'
import { endOwnProcesses } from './ownProcesses.js'
import { formatTable, judge, type Verdict } from './table.js'

const groupLine = ([name, letters]: [string, string]): string =>
  `  ${name.padEnd(8)} ${letters.padEnd(9)} ${duration(secondsOf(chosenCases(letters)))}`

const duration = (seconds: number): string =>
  seconds < 120 ? `about ${seconds} s` : `about ${Math.ceil(seconds / 60)} min`

const help = (): string => `npm run bench [-- options]

Measures Causeway against floors taken in the same run: the same work done as barely as possible. Starts a PostgreSQL (with fsync),
two local chains and hosts of its own; nothing leaves this machine. Times depend on it: read the ratios.

  --only <cases>     groups or letters, for example quotes, quotes,fills or ab
  --requests <list>  sizes of case o, for example 20000,100000
  --short            few rounds and requests: shows that everything runs, not how fast
  --json <file>      write the result there as well
  --help             this text

groups, each within ten minutes on two quiet cores (all: ${duration(secondsOf(CASES))})
${Object.entries(GROUPS).map(groupLine).join('\n')}

cases
${CASES.map(({ letter, measures, seconds }) => `  ${letter}  ${measures} (${duration(seconds)})`).join('\n')}`

const FULL: Scale = {
  rounds: 5,
  requests: 1_000,
  transfersPerRound: 40,
  burst: 100,
  sustained: 600,
  transfersOfMemory: 1_000,
  quotesOfMemory: 30_000,
  histories: [100_000, 1_000_000],
  pagesPerRound: 200,
  secondsOfChanges: 5,
  changesToTell: 300,
  idleSubscribers: 5_000,
  deliveriesPerRound: 3_000,
  deadQueue: 100_000,
  flood: { transfers: 10_000, dust: 2_000 },
  addresses: { live: 10_000, payments: 40, dust: 10_000, watchedMs: 20_000 },
  balances: { entries: 1_000_000, crowd: 1_000, samples: 500 },
  pages: { records: 100_000, views: 3, scripts: 100, wheels: 600, consoleSeconds: 30 },
  longLife: true,
}

const SHORT: Scale = {
  rounds: 1,
  requests: 20,
  transfersPerRound: 2,
  burst: 20,
  sustained: 10,
  transfersOfMemory: 5,
  quotesOfMemory: 50,
  histories: [500, 1_000],
  pagesPerRound: 10,
  secondsOfChanges: 1,
  changesToTell: 5,
  idleSubscribers: 50,
  deliveriesPerRound: 50,
  deadQueue: 100,
  flood: { transfers: 1_000, dust: 100 },
  addresses: { live: 10_000, payments: 3, dust: 100, watchedMs: 1_500 },
  balances: { entries: 2_000, crowd: 50, samples: 20 },
  pages: { records: 500, views: 1, scripts: 2, wheels: 20, consoleSeconds: 3 },
  longLife: false,
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
    json: { type: 'string' },
    requests: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const say = (text: string) => console.error(text)

/** For example `case c (3 of 24): fills a second …, about 70 s`. */
const announce = ({ letter, measures, seconds }: BenchCase, at: number, all: number): void =>
  say(`case ${letter} (${at + 1} of ${all}): ${measures}, ${values.short ? 'short' : duration(seconds)}`)

const run = async (): Promise<readonly Verdict[]> => {
  const chosen = chosenCases(values.only)
  const scale = values.short ? SHORT : FULL
  const histories = values.requests?.split(',').map(Number) ?? scale.histories
  const world = await openBenchWorld({ ...scale, histories }, say)
  const verdicts: Verdict[] = []
  try {
    for (const [at, item] of chosen.entries()) {
      announce(item, at, chosen.length)
      const startedAt = performance.now()
      const measured = (await item.run(world)).map(judge)
      verdicts.push(...measured)
      // A later case may fail or be interrupted.
      say(formatTable(measured))
      say(`case ${item.letter} took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
    }
  } finally {
    await world.close()
  }
  return verdicts
}

const report = (verdicts: readonly Verdict[]): void => {
  console.log(`\n${formatTable(verdicts)}`)
  const json = JSON.stringify({ short: values.short, node: process.version, measurements: verdicts })
  if (values.json !== undefined) writeFileSync(values.json, `${json}\n`)
  console.log(`\n${json}`)
}

/** Ends all processes on a signal. What the cases throw meanwhile does not matter. */
let interrupted: Promise<never> | undefined
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    interrupted ??= endOwnProcesses().then(() => process.exit(128 + constants.signals[name]))
  })
}
process.on('uncaughtException', (error) => {
  interrupted ??= endOwnProcesses().then(() => {
    console.error(error)
    process.exit(1)
  })
})

if (values.help) console.log(help())
else {
  try {
    report(await run())
  } catch (error) {
    await interrupted
    throw error
  } finally {
    // A case that failed leaves its scripts.
    await endOwnProcesses()
  }
}
