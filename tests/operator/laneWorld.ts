import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { paymentsByOrder } from '../harness/database/books.js'
import { type Deployment, type DeploymentOptions, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, type QuoteAnswer, quoteTransfer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

/** Two chains, a database, and deployments over it or others; they end with the world even when a test fails. */
export class LaneWorld {
  readonly #deployments: Deployment[] = []

  private constructor(
    readonly network: LocalNetwork,
    readonly database: TestDatabase,
  ) {}

  static async open(): Promise<LaneWorld> {
    const network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
    const packages = [{ name: '@causeway/core', migrations: coreMigrations }]
    return new LaneWorld(network, await createTestDatabase({ packages }))
  }

  async close(): Promise<void> {
    await Promise.all(this.#deployments.splice(0).map((item) => item.kill()))
    await this.database.drop()
    await this.network.close()
  }

  async start(databaseUrl: string, more: Partial<DeploymentOptions> = {}): Promise<Deployment> {
    const deployment = await startDeployment({ network: this.network, databaseUrl, ...more })
    this.#deployments.push(deployment)
    return deployment
  }

  async stop(deployment: Deployment): Promise<void> {
    this.#deployments.splice(this.#deployments.indexOf(deployment), 1)
    await deployment.kill()
  }

  /** A quote of native currency from harbor to lagoon. */
  quote(deployment: Deployment, user: number, amount = ether('0.1')): Promise<QuoteAnswer> {
    const [origin, destination] = this.network.chains
    return quoteTransfer(deployment.engine, {
      user: userOf(this.network, user),
      from: origin.chain.chainId,
      to: destination.chain.chainId,
      originCurrency: NATIVE,
      destinationCurrency: NATIVE,
      amount,
      recipient: freshAddress(),
    })
  }

  async deposit(user: number, quote: QuoteAnswer): Promise<void> {
    await executeQuote(this.network.chains[0].chain, userOf(this.network, user), quote)
  }

  /** Quotes and deposits. */
  async transfer(deployment: Deployment, user: number, amount?: bigint): Promise<QuoteAnswer> {
    const quote = await this.quote(deployment, user, amount)
    await this.deposit(user, quote)
    return quote
  }

  async fillsOf({ protocol }: QuoteAnswer): Promise<number> {
    const { chains, roles } = this.network
    return (await paymentsByOrder(chains[1], roles.solver.address)).get(protocol.v2.orderId)?.fills ?? 0
  }
}

export interface LaneJson {
  readonly chain: string
  readonly signer: string
  readonly state: string
  readonly reason: string | null
  readonly liveAttempts: number
  readonly waitingForLimit: number
  readonly oldestUnpaidAt: number | null
  readonly spending: readonly { readonly currency: string; readonly spent: string; readonly limit: string | null }[]
  readonly unmatched: readonly { readonly txId: string; readonly orderId: string; readonly amount: string }[]
}

export const laneOf = async (deployment: Deployment, chain: string): Promise<LaneJson> => {
  // CAST: the documented shape of the command's output.
  const { lanes } = JSON.parse((await deployment.command('lanes', [], { json: true })).join('\n')) as {
    lanes: readonly LaneJson[]
  }
  const lane = lanes.find((item) => item.chain === chain)
  if (lane === undefined) throw new Error(`There is no lane of ${chain}`)
  return lane
}

export const laneIs = (deployment: Deployment, chain: string, state: string): Promise<LaneJson> =>
  until(`the lane of ${chain} to be ${state}`, async () => {
    const lane = await laneOf(deployment, chain)
    return lane.state === state ? lane : null
  })
