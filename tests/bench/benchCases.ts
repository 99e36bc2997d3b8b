import type { BenchWorld } from './benchWorld.js'
import { measureAddresses } from './cases/addresses.js'
import { measureAuthentication } from './cases/authentication.js'
import { measureBalances } from './cases/balances.js'
import { measureBitcoin } from './cases/bitcoin.js'
import { measureColdStart } from './cases/coldStart.js'
import { measureDepositToFill } from './cases/depositToFill.js'
import { measureExchanges } from './cases/exchanges.js'
import { measureFills } from './cases/fills.js'
import { measureFlood } from './cases/flood.js'
import { measureHedera } from './cases/hedera.js'
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
import { measureTon } from './cases/ton.js'
import { measureTron } from './cases/tron.js'
import { measureWebhooks } from './cases/webhooks.js'
import { measureWebsocket } from './cases/websocket.js'
import { measureXrp } from './cases/xrp.js'
import type { Measurement } from './table.js'

export interface BenchCase {
  readonly letter: string
  /** One line of `--help`. */
  readonly measures: string
  /** Expected seconds at full size on two quiet cores. */
  readonly seconds: number
  readonly run: (world: BenchWorld) => Promise<Measurement[]>
}

const benchCase = (letter: string, seconds: number, run: BenchCase['run'], measures: string): BenchCase => ({
  letter,
  seconds,
  run,
  measures,
})

export const CASES: readonly BenchCase[] = [
  benchCase('a', 190, measureQuotes, 'POST /quote and /price against two bare servers; bytes per stored quote'),
  benchCase('b', 60, measureDepositToFill, 'deposit to fill, against a script that only listens and pays'),
  benchCase('c', 70, measureFills, 'fills a second of one key, in a burst and sustained; RPC calls of a fill'),
  benchCase('d', 10, measureOrderIds, 'order ids a second against viem'),
  benchCase('e', 60, measureColdStart, 'host start to first quote, against node -e 0'),
  benchCase('f', 180, measureMemory, 'resident memory at rest, after transfers, after quotes'),
  benchCase('g', 70, measureHosts, 'quotes and fills a second with one and with two hosts'),
  benchCase('h', 150, measureSolana, 'Solana: payouts, catching up, addresses; start and memory with one and two VMs'),
  benchCase(
    'i',
    120,
    measureSwapQuotes,
    'quotes with swaps against the floor of a; HTTP requests to nodes for one quote',
  ),
  benchCase('j', 30, measureManyClients, 'quotes of 200 clients at once'),
  benchCase('k', 60, measureHungChain, 'quotes while the node of a third chain hangs, against the same without it'),
  benchCase('l', 20, measureQuoteSteps, 'time of each step of a quote'),
  benchCase('m', 30, measureAuthentication, 'cost of an API key in a call'),
  benchCase('n', 60, measureLimits, 'quotes with rate limits against the same without'),
  benchCase('o', 480, measureHistory, 'pages of the history of requests against a lookup by primary key, at two sizes'),
  benchCase('p', 150, measureWebhooks, 'status change to webhook call, deliveries a second, with a dead receiver'),
  benchCase(
    'q',
    60,
    measureWebsocket,
    'status change to websocket client on one and two hosts; memory of idle subscribers',
  ),
  benchCase(
    'r',
    120,
    measureBitcoin,
    'Bitcoin: deposit in the mempool to pending, catching up, choice of coins, addresses',
  ),
  benchCase('s', 120, measureFlood, 'a block of worthless transfers, then dust under one order: next deposit, memory'),
  benchCase(
    't',
    150,
    measureAddresses,
    'deposit addresses: many live ones against few, quotes, payment to sweep, dust',
  ),
  benchCase('u', 100, measureXrp, 'XRP Ledger: validated deposit to payout, catching up, addresses'),
  benchCase(
    'v',
    240,
    measureBalances,
    'balances of wallets: cost in a fill, postings to one, reading a million entries',
  ),
  benchCase('w', 60, measurePermits, 'permits: signature to broadcast, against a script that only broadcasts'),
  benchCase(
    'x',
    240,
    measurePages,
    'pages in a browser: first view, scripts, scrolling, status on screen, open consoles',
  ),
  benchCase('y', 150, measureHedera, "Hedera: mirror node's answer to payout, catching up, time and memory of its SDK"),
  benchCase('z', 150, measureTon, "TON: a node's answer to payout, catching up, many fills in one request of a wallet"),
  benchCase('A', 150, measureTron, "Tron: a node's answer to payout against a script, catching up, addresses"),
  benchCase('B', 90, measureExchanges, "Hyperliquid and Lighter: a ledger's own update to payout"),
]

/** Letters of cases that run together within ten minutes at full size. */
export const GROUPS: Readonly<Record<string, string>> = {
  quotes: 'adijklmn',
  fills: 'bcgw',
  hosts: 'efq',
  history: 'o',
  events: 'ps',
  chains: 'hru',
  wallets: 'tv',
  pages: 'x',
  hedera: 'y',
  ton: 'z',
  tron: 'A',
  exchanges: 'B',
}

/** The cases of `--only`: letters, or names of groups separated by commas; all without it. Throws for an unknown one. */
export const chosenCases = (only: string | undefined): readonly BenchCase[] => {
  if (only === undefined) return CASES
  const letters = only.split(',').flatMap((word) => [...(GROUPS[word] ?? word)])
  const unknown = letters.filter((letter) => !CASES.some((item) => item.letter === letter))
  if (unknown.length > 0) {
    const [groups, known] = [Object.keys(GROUPS).join(', '), CASES.map(({ letter }) => letter).join('')]
    throw new Error(`No case ${unknown.join(', ')}. Groups: ${groups}. Cases: ${known}.`)
  }
  return CASES.filter(({ letter }) => letters.includes(letter))
}

export const secondsOf = (cases: readonly BenchCase[]): number => cases.reduce((sum, { seconds }) => sum + seconds, 0)
