import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChainAdapter } from '@causeway/core/chain'
import type { TestWallet } from '@causeway/core/testing'
import { formatUnits, parseUnits } from 'viem'
import type { ApiClient } from '../transfers/apiClient.js'
import { openAdapter, preparePayment } from '../transfers/plainPayments.js'
import { currencyOf, type ServedChain } from '../transfers/servedChain.js'
import { money } from '../transfers/transfer.js'
import { AddressPayment } from './addressPayment.js'
import { ms, screen } from './screen.js'

/** An address to be paid, in whole units of its chain's own coin. */
export interface AddressAsked {
  readonly from: ServedChain
  readonly payer: TestWallet
  readonly to: ServedChain
  readonly symbol: string
  readonly quoted: string
  readonly paid: string
}

interface ConfiguredChain {
  readonly id: number
  readonly package: string
}

/** The chains of a sandbox as its hosts know them. @throws Error when its configuration cannot be read */
const configuredChains = (home: string): readonly ConfiguredChain[] => {
  // CAST: the file is the sandbox's own, which every host of it accepts.
  const { chains } = JSON.parse(readFileSync(join(home, 'sandbox.config.json'), 'utf8')) as {
    readonly chains: readonly ConfiguredChain[]
  }
  return chains
}

/** What a sweep would find. */
const liesAt = async ({ depositAddresses }: ChainAdapter, address: string, currency: string): Promise<bigint> => {
  const place = { orderId: `0x${'0'.repeat(64)}`, depositor: '', destination: { address }, derivation: null } as const
  const found = await depositAddresses?.holdings([place], [currency])
  return found?.[0]?.find((money) => money.currency === currency)?.amount ?? 0n
}

/** A quote for an address of each kind: paid as quoted, less and more. Each payment is a plain transfer, and each is filled. */
export class AddressChapter {
  readonly #api: ApiClient
  readonly #home: string

  /** @param home the folder of the sandbox */
  constructor(api: ApiClient, home: string) {
    this.#api = api
    this.#home = home
  }

  /** @throws Error when anything is another than it should be */
  async tell(asked: readonly AddressAsked[]): Promise<readonly AddressPayment[]> {
    const adapters: ChainAdapter[] = []
    try {
      const payments = await Promise.all(asked.map((item) => this.#open(item, adapters)))
      await Promise.all(
        payments.map(async (payment) => {
          await payment.send()
          await payment.waitForFill()
        }),
      )
      for (const payment of payments) await this.#show(payment)
      screen.good('Each sender made one plain transfer; another amount than quoted got a price of its own')
      screen.good('The addresses are empty again: what came was swept, and the records name transfer, sweep and fill')
      return payments
    } finally {
      await Promise.all(adapters.map((adapter) => adapter.stop()))
    }
  }

  async #open(
    { from, payer, to, symbol, quoted, paid }: AddressAsked,
    adapters: ChainAdapter[],
  ): Promise<AddressPayment> {
    const { address: currency, decimals } = currencyOf(from, symbol)
    const adapter = await this.#adapterOf(from)
    adapters.push(adapter)
    return AddressPayment.open(this.#api, {
      ...{ from, payer, to, symbol },
      quoted: parseUnits(quoted, decimals),
      paid: parseUnits(paid, decimals),
      pay: (address, amount) => preparePayment(adapter, { wallet: payer, address, money: { currency, amount } }),
      lies: (address) => liesAt(adapter, address, currency),
    })
  }

  #adapterOf({ chainId, name }: ServedChain): Promise<ChainAdapter> {
    const config = configuredChains(this.#home).find(({ id }) => id === chainId)
    if (config === undefined) throw new Error(`${name} is not configured`)
    return openAdapter(config.package, config)
  }

  async #show(payment: AddressPayment): Promise<void> {
    await Promise.all([payment.checkReceived(), payment.checkPaid()])
    const { plan, currencyIn, currencyOut, report } = payment
    const paid = formatUnits(plan.paid, currencyIn.decimals)
    const quoted = formatUnits(plan.quoted, currencyIn.decimals)
    const got = money(await payment.received(), currencyOut)
    screen.fact(
      plan.from.name,
      `quoted ${quoted}, paid ${paid} ${currencyIn.symbol}: ${got} on ${plan.to.name}, ${ms(report.depositToFillMs)} after it was sent`,
    )
  }
}
