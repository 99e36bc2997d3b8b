import { formatUnits, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { until } from '../harness/until.js'
import type { ApiClient } from '../transfers/apiClient.js'
import { type Currency, currencyOf, nativeOf, type ServedChain } from '../transfers/servedChain.js'
import { money, type Transfer } from '../transfers/transfer.js'
import { ms, screen, short } from './screen.js'

/** The wallet that earns and pays: its balance is in the dollar of the first chain. */
export interface OwedWallet {
  readonly address: string
  readonly privateKey: string
}

interface OwedDeps {
  readonly api: ApiClient
  readonly wallet: OwedWallet
  /** Where balances are kept. */
  readonly home: ServedChain
  /** Where the claim goes, and to which account there. */
  readonly away: ServedChain
  readonly recipient: string
}

interface Balances {
  readonly balances: readonly { readonly amount: string }[]
  readonly outstandingFastFillBalanceUsd: number
}

interface ClaimSteps {
  readonly steps: readonly [
    {
      readonly items: readonly [
        {
          readonly data: {
            readonly sign: { readonly message: Hex }
            readonly post: { readonly endpoint: string; readonly body: object }
          }
        },
      ]
    },
  ]
}

interface Claims {
  readonly claims: readonly {
    readonly status: string
    readonly txHash: string | null
    readonly currency: { readonly amount: string }
  }[]
}

interface Events {
  readonly events: readonly { readonly delta: string; readonly context: string; readonly requestId: string | null }[]
}

/** Money that the deployment owes to a wallet: earned by a fee, spent on the fees of a user, and claimed on another chain. */
export class OwedChapter {
  readonly #deps: OwedDeps
  readonly #dollar: Currency
  #balance = 0n

  constructor(deps: OwedDeps) {
    this.#deps = deps
    this.#dollar = currencyOf(deps.home, 'USDC')
  }

  /** Waits for what the sandbox paid in. */
  async begin(): Promise<void> {
    this.#balance = await until('the balance', async () => {
      const balance = await this.#read()
      return balance === 0n ? null : balance
    })
  }

  /** Fills a quote before its deposit is sent. @throws Error unless the deposit, sent then, sets free what was set aside for it */
  async fillAhead(transfer: Transfer): Promise<void> {
    const { api } = this.#deps
    const { requestId } = transfer
    const startedAt = performance.now()
    await api.json('/fast-fill', { body: { requestId } })
    await transfer.waitFor('success')
    const aside = await this.#outstanding()
    const worth = Number(formatUnits(transfer.amountIn, this.#dollar.decimals))
    if (aside < worth) throw new Error(`Only ${aside} dollars were set aside for a deposit of ${worth}`)
    screen.fact('fast fill', `${ms(performance.now() - startedAt)} after it was asked for; nothing was deposited yet`)
    await transfer.checkReceived()
    await transfer.send()
    await until('the collateral to be free', async () => ((await this.#outstanding()) === 0 ? true : null))
    await this.#moved(0n)
    screen.good(`$${aside} of the balance stood in for the deposit until that was settled, and are free again`)
  }

  /** What a quote says to earn a fee of so many basis points for the wallet. */
  feeOf(bps: bigint): Readonly<Record<string, unknown>> {
    return { appFees: [{ recipient: this.#deps.wallet.address, fee: bps.toString() }] }
  }

  /** @throws Error unless the filled transfer owes the wallet its fee, to the unit, in the record and the balance */
  async earned(transfer: Transfer, bps: bigint): Promise<bigint> {
    const fee = (transfer.amountIn * bps) / 10_000n
    const { data } = await this.#deps.api.record(transfer.requestId)
    const shown = data.appFees?.actual?.map(({ amount }) => amount).join()
    if (shown !== fee.toString()) throw new Error(`The record says that ${shown} were earned, not ${fee}`)
    await this.#moved(fee)
    const left = this.#shown(fee)
    screen.good(
      `${left} of it are owed to ${short(this.#deps.wallet.address)}, settled: /app-fees/{wallet}/balances and the record agree`,
    )
    return fee
  }

  /** @throws Error unless the wallet paid the fees of the filled transfer, and the user none */
  async sponsored(transfer: Transfer): Promise<void> {
    const { quote, requestId } = transfer
    const user = quote.feeSponsorship?.quoted.userPaysTotal.amount
    const { data } = await this.#deps.api.record(requestId)
    const paid = BigInt(data.feeSponsorship?.actual?.sponsorPayment.amount ?? '0')
    if (user !== '0' || paid <= 0n) throw new Error(`The user was to pay ${user}, and the sponsor paid ${paid}`)
    await this.#moved(-paid)
    screen.good(
      `The user paid no fee; ${this.#shown(paid)} of the balance did, and ${this.#shown(this.#balance)} are left`,
    )
  }

  /** Claims so much as the coin of the other chain. @throws Error unless its account there got what the claim says, once */
  async claim(taken: bigint): Promise<void> {
    const { api, wallet, away, recipient } = this.#deps
    const coin = nativeOf(away)
    const had = await away.reader.balance(recipient, coin.address)
    const body = { chainId: away.chainId, currency: coin.address, recipient, amount: taken.toString() }
    const { steps } = await api.json<ClaimSteps>(`/app-fees/${wallet.address}/claim`, { body })
    const { sign, post } = steps[0].items[0].data
    // CAST: accounts of the sandbox's EVM chains have keys in hex.
    const signature = await privateKeyToAccount(wallet.privateKey as Hex).signMessage({
      message: { raw: sign.message },
    })
    screen.fact('signed', `${short(sign.message)} by the wallet: chain, currency, recipient and amount`)
    await api.json(`${post.endpoint}?signature=${signature}`, { body: post.body })
    const claim = await until('the claim', async () => {
      const { claims } = await api.json<Claims>(`/app-fees/${wallet.address}/claims`)
      return claims.find(({ status }) => status !== 'pending') ?? null
    })
    if (claim.status !== 'success') throw new Error(`The claim ended as ${claim.status}`)
    const got = (await away.reader.balance(recipient, coin.address)) - had
    if (got.toString() !== claim.currency.amount)
      throw new Error(`The claim says ${claim.currency.amount}, and ${got} came`)
    await this.#moved(-taken)
    screen.fact(
      'claim',
      `${this.#shown(taken)} became ${money(got, coin)} on ${away.name}, ${short(claim.txHash ?? '')}`,
    )
    screen.good(
      `${short(recipient)} on ${away.name} has them, to the last unit, and ${this.#shown(this.#balance)} are left`,
    )
  }

  /** @throws Error unless what moved the balance, by its own history, sums up to what it is */
  async check(): Promise<void> {
    const { events } = await this.#deps.api.json<Events>(`/balance-events/${this.#deps.wallet.address}`)
    const sum = events.reduce((total, { delta }) => total + BigInt(delta), 0n)
    const balance = await this.#read()
    if (sum !== balance || balance !== this.#balance)
      throw new Error(`The balance is ${balance} and should be ${this.#balance}; its history sums up to ${sum}`)
  }

  /** Waits until the balance is by so much another. */
  async #moved(change: bigint): Promise<void> {
    this.#balance += change
    let last = 0n
    await until('the balance', async () => {
      last = await this.#read()
      return last === this.#balance ? true : null
    }).catch(() => {
      throw new Error(`The balance is ${last} and should be ${this.#balance}`)
    })
  }

  /** Dollars that cover fast fills. */
  async #outstanding(): Promise<number> {
    const answer = await this.#deps.api.json<Balances>(`/app-fees/${this.#deps.wallet.address}/balances`)
    return answer.outstandingFastFillBalanceUsd
  }

  async #read(): Promise<bigint> {
    const { balances } = await this.#deps.api.json<Balances>(`/app-fees/${this.#deps.wallet.address}/balances`)
    return BigInt(balances[0]?.amount ?? '0')
  }

  #shown(amount: bigint): string {
    return `${formatUnits(amount, this.#dollar.decimals)} ${this.#dollar.symbol}`
  }
}
