import type { TestWallet } from '@causeway/core/testing'
import pg from 'pg'
import { formatUnits, parseUnits } from 'viem'
import { waitForQuiet } from '../harness/database/books.js'
import { until } from '../harness/until.js'
import { ApiClient } from '../transfers/apiClient.js'
import { readProgress, readRefundGas, readSettledBooks } from '../transfers/chainBooks.js'
import { currencyOf, nativeOf, openServed, type ServedChain } from '../transfers/servedChain.js'
import { money, Transfer, type TransferReport } from '../transfers/transfer.js'
import { AddressChapter } from './addressChapter.js'
import type { AddressPayment } from './addressPayment.js'
import { showBooks } from './booksTable.js'
import { type Asked, firstTransfers, type Place } from './firstTransfers.js'
import { GaslessChapter } from './gaslessChapter.js'
import { OwedChapter } from './owedChapter.js'
import type { SandboxChainInfo, SandboxInfo, SandboxProcess } from './sandboxProcess.js'
import { ms, screen, short, spread } from './screen.js'

/** What the demo has shown so far; complete or not, it goes into the last line. */
export interface Outcome {
  readonly transfers: TransferReport[]
  refunds: number
  killed: boolean
  ledgerBalanced: boolean
  /** Claims of what fees earned that were paid. */
  claims: number
  /** Fills that went before their deposits. */
  fastFills: number
  /** Deposits that were sent for accounts without gas. */
  gasless: number
}

/** Starting the sandbox is the first. */
const FIRST_STEP = 2
const RESTART_MS = 60_000
const QUIET_MS = 60_000

interface StoryDeps {
  readonly sandbox: SandboxProcess
  readonly info: SandboxInfo
  readonly outcome: Outcome
}

/** The demo's chapters, in the order they are told. */
export class Story {
  readonly #sandbox: SandboxProcess
  readonly #outcome: Outcome
  readonly #info: SandboxInfo
  readonly #api: ApiClient
  readonly #pool: pg.Pool
  readonly #chains: Readonly<Record<Place, ServedChain>>
  readonly #filled: (Transfer | AddressPayment)[] = []
  #owedChapter: OwedChapter | undefined
  #nextStep = FIRST_STEP

  private constructor({ sandbox, info, outcome }: StoryDeps, chains: Readonly<Record<Place, ServedChain>>) {
    this.#sandbox = sandbox
    this.#info = info
    this.#outcome = outcome
    this.#api = new ApiClient(info)
    this.#chains = chains
    this.#pool = new pg.Pool({ connectionString: info.databaseUrl, max: 2 })
    // Its database goes away with the sandbox.
    this.#pool.on('error', () => undefined)
  }

  static async open(deps: StoryDeps): Promise<Story> {
    const opened = await Promise.all(deps.info.chains.map(openSandboxChain))
    const [a, b, solana, bitcoin, ledger, hedera, ton, tron, hyperliquid, lighter] = opened
    if (!a || !b || !solana || !bitcoin || !ledger || !hedera || !ton || !tron || !hyperliquid || !lighter)
      throw new Error('The sandbox has fewer than nine chains')
    return new Story(deps, { a, b, solana, bitcoin, ledger, hedera, ton, tron, hyperliquid, lighter })
  }

  async tell(): Promise<void> {
    for (const [text, asked] of firstTransfers(this.#chains)) await this.#one(text, asked)
    await this.#addresses()
    await this.#swaps()
    await this.#owed()
    await this.#gasless()
    await this.#tenAtOnce()
    await this.#refund()
    await this.#kill()
    await this.#balanceBooks()
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  #open({ from, to: place, symbol, amount, user = 0, ...more }: Asked): Promise<Transfer> {
    const origin = this.#chains[from]
    const to = this.#chains[place ?? (from === 'a' ? 'b' : 'a')]
    const fixed = currencyOf(more.tradeType === 'EXACT_OUTPUT' ? to : origin, symbol)
    return Transfer.open(this.#api, {
      from: origin,
      payer: this.#walletOf(origin, user),
      to,
      symbol,
      amount: parseUnits(amount, fixed.decimals),
      ...more,
    })
  }

  #walletOf(chain: ServedChain, user: number): TestWallet {
    const account = this.#info.accounts.filter(({ chainId }) => chainId === chain.chainId)[user]
    if (account === undefined) throw new Error(`${chain.name} has no user ${user}`)
    return chain.openWallet(account.privateKey)
  }

  /** Checks a filled transfer on both chains and counts it. */
  async #count(transfer: Transfer): Promise<bigint> {
    const [gas] = await Promise.all([transfer.checkPaid(), transfer.checkReceived(), transfer.checkRecord()])
    if (!(await transfer.to.reader.succeeded(transfer.payoutHash)))
      throw new Error(`The fill ${transfer.payoutHash} failed`)
    this.#filled.push(transfer)
    this.#outcome.transfers.push(transfer.report)
    return gas
  }

  #step(text: string): void {
    screen.step(this.#nextStep++, text)
  }

  async #one(text: string, asked: Asked): Promise<void> {
    this.#step(text)
    const transfer = await this.#open(asked)
    const { currencyIn, currencyOut, amountIn, amountOut, from, to } = transfer
    const pays = money(amountIn, currencyIn)
    const gets = money(amountOut, currencyOut)
    screen.fact('quote', `${ms(transfer.quoteMs)}: ${pays} on ${from.name} becomes ${gets} on ${to.name}`)
    await transfer.send()
    await transfer.waitFor('success')
    const { depositToFillMs } = transfer.report
    screen.fact(
      'fill',
      `${ms(depositToFillMs)} after the deposit was sent, ${short(transfer.payoutHash)} on ${to.name}`,
    )
    const gas = await this.#count(transfer)
    screen.good(`${short(transfer.recipient)} on ${to.name} holds ${gets}, to the last unit`)
    const fee = nativeOf(from)
    screen.good(`The sender paid ${pays} and ${formatUnits(gas, fee.decimals)} ${fee.symbol} for gas, nothing else`)
  }

  /** One for each kind of chain: paid as quoted, too little, too much. */
  async #addresses(): Promise<void> {
    const { a, b, solana, bitcoin, ledger, hedera, ton, tron, hyperliquid } = this.#chains
    this.#step('An address to pay to, from any wallet or an exchange: whatever arrives is filled')
    const asked = [
      { from: a, to: b, symbol: 'ETH', quoted: '0.5', paid: '0.5' },
      { from: solana, to: a, symbol: 'SOL', quoted: '2', paid: '1.2' },
      { from: bitcoin, to: a, symbol: 'BTC', quoted: '0.02', paid: '0.03' },
      { from: ledger, to: a, symbol: 'XRP', quoted: '150', paid: '90' },
      { from: hedera, to: a, symbol: 'HBAR', quoted: '1500', paid: '1500' },
      { from: ton, to: a, symbol: 'TON', quoted: '60', paid: '80' },
      { from: tron, to: a, symbol: 'TRX', quoted: '500', paid: '400' },
      { from: hyperliquid, to: a, symbol: 'USDC', quoted: '120', paid: '100' },
    ]
    const chapter = new AddressChapter(this.#api, this.#sandbox.home)
    const payments = await chapter.tell(asked.map((item) => ({ ...item, payer: this.#walletOf(item.from, 0) })))
    this.#filled.push(...payments)
    this.#outcome.transfers.push(...payments.map(({ report }) => report))
  }

  /** Over pools of Uniswap: on the way out, on the way in, both, between two assets, and within one chain. */
  async #swaps(): Promise<void> {
    this.#step('A token nobody holds but the users: swapped where it is, where it goes, on both sides, on one chain')
    const asked: readonly (readonly [string, Asked])[] = [
      ['on the origin', { from: 'a', symbol: 'CORAL', into: 'USDC', amount: '60' }],
      ['on the destination', { from: 'a', symbol: 'USDC', into: 'CORAL', amount: '80' }],
      ['on both', { from: 'b', symbol: 'CORAL', into: 'CORAL', amount: '50' }],
      ['two assets', { from: 'b', symbol: 'USDC', into: 'ETH', amount: '90' }],
      ['on one chain', { from: 'a', to: 'a', symbol: 'ETH', into: 'CORAL', amount: '0.02' }],
    ]
    for (const [what, ask] of asked) await this.#swap(what, ask)
  }

  async #swap(what: string, ask: Asked): Promise<void> {
    const { a, b } = this.#chains
    const transfer = await this.#open(ask)
    await transfer.send()
    await transfer.waitFor('success')
    await this.#count(transfer)
    const { amountIn, currencyIn, currencyOut, minimumOut, report } = transfer
    const gets = money(await transfer.received(), currencyOut)
    screen.fact(what, `${money(amountIn, currencyIn)} became ${gets}, ${ms(report.depositToFillMs)} after it was sent`)
    screen.good(
      `at least ${money(minimumOut, currencyOut)} were promised, on ${(ask.to === 'a' ? a : ask.from === 'a' ? b : a).name}`,
    )
  }

  /** A fee that an integrator earns pays for the next user's transfer; the rest is claimed on another chain. */
  async #owed(): Promise<void> {
    const { a, b, ledger } = this.#chains
    const chapter = this.#openOwed(ledger)
    await chapter.begin()
    const bps = 1_000n
    await this.#one(`An integrator earns a fee: ten percent of a transfer from ${a.name} to ${b.name}`, {
      from: 'a',
      symbol: 'USDC',
      amount: '250',
      more: chapter.feeOf(bps),
    })
    const earned = await chapter.earned(this.#last(), bps)
    this.#step('A sponsor pays the fees of a user, out of its balance: a swap on the way')
    await this.#swap('sponsored', {
      from: 'a',
      symbol: 'CORAL',
      into: 'USDC',
      amount: '70',
      more: { subsidizeFees: true },
    })
    await chapter.sponsored(this.#last())
    this.#step(`What the fee earned is claimed: one signature, and the coin of ${ledger.name} is paid out`)
    await chapter.claim(earned)
    this.#outcome.claims += 1
    this.#step('The same balance covers a fill that does not wait for its deposit')
    const ahead = await this.#open({ from: 'a', symbol: 'USDC', amount: '150' })
    await chapter.fillAhead(ahead)
    await Promise.all([ahead.checkPaid(), ahead.checkReceived(), ahead.checkRecord()])
    this.#filled.push(ahead)
    this.#outcome.fastFills += 1
  }

  #openOwed(away: ServedChain): OwedChapter {
    const { accounts, sponsor } = this.#info
    const wallet = accounts.find(({ address }) => address === sponsor)
    const recipient = accounts.findLast(({ chainId }) => chainId === away.chainId)?.address
    if (wallet === undefined || recipient === undefined) throw new Error('The sandbox has no sponsor')
    this.#owedChapter = new OwedChapter({ api: this.#api, wallet, home: this.#chains.a, away, recipient })
    return this.#owedChapter
  }

  /** The transfer that was counted last. */
  #last(): Transfer {
    const last = this.#filled.at(-1)
    if (last instanceof Transfer) return last
    throw new Error('No transfer was counted')
  }

  /** Accounts that hold dollars and nothing else. */
  async #gasless(): Promise<void> {
    const { a: from, b: to } = this.#chains
    const chapter = await GaslessChapter.open({ api: this.#api, from, to })
    this.#step('An account without gas: it signs a permit, and the service sends its deposit')
    await this.#count(await chapter.permit())
    this.#step('Another one signs its transactions as a batch, which its own account runs (EIP-7702)')
    await this.#count(await chapter.batch())
    this.#outcome.gasless += 2
  }

  async #tenAtOnce(): Promise<void> {
    this.#step('Ten at once, in both directions')
    const users = [0, 1, 2, 3, 4]
    const transfers = await Promise.all([
      ...users.map((user) => this.#open({ from: 'a', symbol: 'ETH', amount: `0.${user + 1}`, user })),
      ...users.map((user) => this.#open({ from: 'b', symbol: 'USDC', amount: `${10 * (user + 1)}`, user })),
    ])
    screen.fact('quotes', spread(transfers.map(({ quoteMs }) => quoteMs)))
    await Promise.all(
      transfers.map(async (transfer) => {
        await transfer.send()
        await transfer.waitFor('success')
      }),
    )
    screen.fact('fills', spread(transfers.map(({ report }) => report.depositToFillMs)))
    for (const transfer of transfers) await this.#count(transfer)
    screen.good('Ten recipients hold what each was quoted; ten senders paid what each was quoted')
  }

  async #refund(): Promise<void> {
    const { a } = this.#chains
    this.#step('A transfer that cannot be filled comes back')
    const transfer = await this.#open({
      from: 'a',
      symbol: 'USDC',
      amount: '50',
      referrer: 'debug-force-refund',
    })
    await transfer.send()
    await transfer.waitFor('refund')
    const returned = await transfer.returned()
    const { amountIn, currencyIn } = transfer
    const kept = amountIn - returned
    if (returned <= 0n || kept < 0n) throw new Error(`A deposit of ${amountIn} came back as ${returned}`)
    const arrived = await transfer.received()
    if (arrived !== 0n) throw new Error(`Request ${transfer.requestId} was refunded and paid out too`)
    const gas = await readRefundGas(this.#pool, transfer.requestId)
    if (gas !== kept) throw new Error(`The service says the refund's gas was ${gas}, but ${kept} did not come back`)
    this.#outcome.refunds += 1
    const { depositToFillMs } = transfer.report
    screen.fact(
      'refund',
      `${ms(depositToFillMs)} after the deposit was sent, ${short(transfer.payoutHash)} on ${a.name}`,
    )
    screen.good(
      `${money(amountIn, currencyIn)} deposited, ${money(returned, currencyIn)} back with the sender; ${money(kept, currencyIn)} paid the gas of the refund`,
    )
  }

  async #kill(): Promise<void> {
    this.#step('The host is killed in the middle of its work')
    const transfers = await Promise.all([
      ...[0, 1, 2].map((user) => this.#open({ from: 'a', symbol: 'ETH', amount: '0.25', user })),
      ...[0, 1, 2].map((user) => this.#open({ from: 'b', symbol: 'USDC', amount: '75', user })),
    ])
    const requestIds = transfers.map(({ requestId }) => requestId)
    const { hostPid } = this.#sandbox.readInfo() ?? this.#info
    await Promise.all(transfers.map((transfer) => transfer.send()))
    // At once, but not before the host has begun to pay: that is the moment where a crash could cost money.
    await until('the first payout', async () => ((await readProgress(this.#pool, requestIds)).begun ? true : null))
    process.kill(hostPid, 'SIGKILL')
    const killedAt = performance.now()
    const { undecided, inFlight, paid } = await readProgress(this.#pool, requestIds)
    screen.fact('killed', `process ${hostPid}: ${paid} of 6 paid, ${inFlight} on their way, ${undecided} not begun`)
    if (paid === transfers.length) throw new Error('The host had paid everything before it was killed')
    const ends = transfers.map((transfer) => transfer.waitFor('success', RESTART_MS))
    const [restarted] = await Promise.all([this.#restart(hostPid), ...ends])
    screen.fact(
      'restart',
      `process ${restarted} answers; the last fill came ${ms(performance.now() - killedAt)} after the kill`,
    )
    for (const transfer of transfers) await this.#count(transfer)
    this.#outcome.killed = true
    screen.good('All six were paid, each exactly once')
  }

  /** Resolves with the process of the host that took the place of the killed one. */
  async #restart(killed: number): Promise<number> {
    const hostPid = await until(
      'the host to run again',
      async () => {
        const info = this.#sandbox.readInfo()
        return info !== null && info.hostPid !== killed && (await this.#api.lives()) ? info.hostPid : null
      },
      RESTART_MS,
    )
    return hostPid
  }

  async #balanceBooks(): Promise<void> {
    this.#step('The books')
    const startedAt = performance.now()
    await waitForQuiet(this.#pool, QUIET_MS)
    screen.fact(
      'settled',
      `every payout is final and every deposit withdrawn, ${ms(performance.now() - startedAt)} later`,
    )
    const chains = Object.values(this.#chains)
    const { lines, problems } = await readSettledBooks({ pool: this.#pool, chains, solvers: await this.#api.solvers() })
    showBooks(lines)
    for (const problem of problems) screen.bad(problem)
    if (problems.length > 0) throw new Error(`The books do not balance: ${problems.join(' ')}`)
    // Once more, now that nothing is on its way: a second payment would show here.
    for (const transfer of this.#filled) await transfer.checkReceived()
    await this.#owedChapter?.check()
    this.#outcome.ledgerBalanced = true
    screen.good('Every ledger transaction sums to zero, nobody is owed anything, and the chains agree with the books')
    screen.good(`None of the ${this.#filled.length} recipients was paid twice`)
  }
}

const openSandboxChain = ({ id: chainId, vmType, rpcUrl, wsUrl, ...info }: SandboxChainInfo): Promise<ServedChain> => {
  const endpoint = { http: rpcUrl, ...(wsUrl === '' ? {} : { ws: wsUrl }) }
  return openServed(`@causeway/chain-${vmType}`, { ...info, chainId, endpoint })
}
