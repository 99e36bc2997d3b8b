import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type BenchWorld, openBenchWorld, type Scale } from './benchWorld.js'
import { measureAddresses } from './cases/addresses.js'
import { measureAuthentication } from './cases/authentication.js'
import { measureBalances } from './cases/balances.js'
import { measureBitcoin } from './cases/bitcoin.js'
import { measureColdStart } from './cases/coldStart.js'
import { measureDepositToFill } from './cases/depositToFill.js'
import { measureFills } from './cases/fills.js'
import { measureFlood } from './cases/flood.js'
import { measureHistory } from './cases/history.js'
import { measureHosts } from './cases/hosts.js'
import { measureHungChain } from './cases/hungChain.js'
import { measureLimits } from './cases/limits.js'
import { measureManyClients } from './cases/manyClients.js'
import { measureMemory } from './cases/memory.js'
import { measureOrderIds } from './cases/orderIds.js'
import { measurePages } from './cases/pages.js'
import { measurePermits } from './cases/permits.js'
import { measureQuoteSteps } from './cases/quoteSteps.js'
import { measureQuotes } from './cases/quotes.js'
import { measureSolana } from './cases/solana.js'
import { measureSwapQuotes } from './cases/swapQuotes.js'
import { measureWebhooks } from './cases/webhooks.js'
import { measureWebsocket } from './cases/websocket.js'
import { measureXrp } from './cases/xrp.js'
import { formatTable, judge, type Measurement, type Verdict } from './table.js'

const HELP = `npm run bench [-- options]

Measures Causeway against floors taken in the same run: the same work done as barely as possible. Starts a PostgreSQL (with fsync),
two local chains and hosts of its own; nothing leaves this machine. Times depend on it: read the ratios.

  --only <letters>   cases to run, for example ab
  --requests <list>  sizes of case o, for example 20000,100000
  --short            few rounds and requests: shows that everything runs, not how fast
  --json <file>      write the result there as well
  --help             this text

cases
  a  POST /quote and /price against Koa with a fixed answer
  b  deposit sent to fill seen, against a script that only listens and pays
  c  fills a second of one key, in a burst and sustained; RPC calls of a fill
  d  order ids a second against viem
  e  from spawning the host to its first quote, against node -e 0
  f  resident memory at rest, after transfers, after quotes
  g  quotes and fills a second with one and with two hosts
  h  Solana: payouts, catching up, addresses; start and memory with one and with two VMs
  i  quotes with swaps against the floor of a; HTTP requests to nodes for one quote
  j  quotes of 200 clients at once
  k  quotes beside a third chain whose node hangs, against the same without it
  l  where the time of a quote goes
  m  what an API key adds to a call
  n  quotes with rate limits against the same without
  o  pages of the history of requests against a lookup by primary key, at two sizes (writes over a million requests)
  p  webhooks: a status change until its receiver is called, deliveries a second, beside a dead receiver with a long queue
  q  a status change until a websocket client hears of it, on one host and on two; memory of idle subscribers
  r  Bitcoin: a deposit in the mempool to pending, catching up, choice of coins, addresses
  s  a block full of worthless transfers, then dust under an order with heavy calls: what the next deposit and memory notice
  t  addresses to pay to: many live ones against few, quotes with one, payment to sweep, dust to one address
  u  the XRP Ledger: a validated deposit to its payout, catching up, addresses
  v  balances of wallets: what they add to a fill, postings to one at once, reading one with a million entries; sponsored quotes against plain
  w  permits: a signature posted until its transaction is sent, against a script that only sends it; many posted at once
  x  pages in a browser: the first view, scripts, scrolling through requests, a status change on screen; what 100 open consoles cost`

const FULL: Scale = {
  rounds: 5,
  requests: 1_000,
  transfersPerRound: 40,
  burst: 100,
  sustained: 600,
  transfersOfMemory: 1_000,
  quotesOfMemory: 100_000,
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

const CASES: Readonly<Record<string, (world: BenchWorld) => Promise<Measurement[]>>> = {
  a: measureQuotes,
  b: measureDepositToFill,
  c: measureFills,
  d: measureOrderIds,
  e: measureColdStart,
  f: measureMemory,
  g: measureHosts,
  h: measureSolana,
  i: measureSwapQuotes,
  j: measureManyClients,
  k: measureHungChain,
  l: measureQuoteSteps,
  m: measureAuthentication,
  n: measureLimits,
  o: measureHistory,
  p: measureWebhooks,
  q: measureWebsocket,
  r: measureBitcoin,
  s: measureFlood,
  t: measureAddresses,
  u: measureXrp,
  v: measureBalances,
  w: measurePermits,
  x: measurePages,
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

const run = async (): Promise<readonly Verdict[]> => {
  const chosen = [...(values.only ?? Object.keys(CASES).join(''))]
  const unknown = chosen.filter((letter) => CASES[letter] === undefined)
  if (unknown.length > 0)
    throw new Error(`There is no case ${unknown.join(', ')}; there are ${Object.keys(CASES).join(' ')}.`)
  const say = (text: string) => console.error(text)
  const scale = values.short ? SHORT : FULL
  const histories = values.requests?.split(',').map(Number) ?? scale.histories
  const world = await openBenchWorld({ ...scale, histories }, say)
  const verdicts: Verdict[] = []
  try {
    for (const letter of chosen) {
      say(`case ${letter}`)
      verdicts.push(...((await CASES[letter]?.(world)) ?? []).map(judge))
    }
  } finally {
    await world.close()
  }
  return verdicts
}

if (values.help) console.log(HELP)
else {
  const verdicts = await run()
  console.log(`\n${formatTable(verdicts)}`)
  const json = JSON.stringify({ short: values.short, node: process.version, measurements: verdicts })
  if (values.json !== undefined) writeFileSync(values.json, `${json}\n`)
  console.log(`\n${json}`)
}
