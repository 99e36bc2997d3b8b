import type { LocalAccount } from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import { postLedger } from '@causeway/core/money-path'
import { type AppBalance, readAppBalances, withTransaction } from '@causeway/core/plugin'
import { privateKeyToAccount } from 'viem/accounts'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { userOf } from '../harness/localNetwork.js'
import { receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'
import { amountAt } from '../http/quoteAmounts.js'

/** A host whose balances are in the six-digit dollar of the first chain. */
export const startSponsorWorld = (plugins: Readonly<Record<string, object>> = {}): Promise<HttpWorld> =>
  startHttpWorld({
    plugins: () => ({ sponsorship: {}, 'requests-v2': { sunsetAt: '2999-01-01' }, ...plugins }),
    balances: ({ chains: [origin] }) => ({ chainId: origin.chain.chainId, currency: origin.usdc }),
  })

const balanceCurrency = ({ network: { chains } }: HttpWorld) => ({
  chainId: chains[0].chain.chainId,
  currency: chains[0].usdc.toLowerCase(),
})

/** An integrator whose wallet has agreed to pay. */
export interface SponsoredIntegrator {
  readonly apiKey: string
  /** In lower case. */
  readonly wallet: string
}

/** Signs what the service asks of a wallet. */
export const linkWallet = async (world: HttpWorld, apiKey: string, account: LocalAccount): Promise<void> => {
  const { url } = world.host
  const asked = await callApi(url, '/integrators/funding-wallet/message', {
    apiKey,
    body: { wallet: account.address },
  })
  const message = textAt(asked.body, 'message')
  // CAST: a key of the local chains.
  const signature = await privateKeyToAccount(account.privateKey as Hex).signMessage({ message })
  const body = { wallet: account.address, nonce: textAt(asked.body, 'nonce'), signature }
  const linked = await callApi(url, '/integrators/funding-wallet', { method: 'PUT', apiKey, body })
  if (linked.status !== 200) throw new Error(`The wallet was not linked: ${linked.text}`)
}

let gifts = 0
/** An operator's dollars become a wallet's: the books of the wallet that holds them show both. */
export const give = async (world: HttpWorld, wallet: string, amount: bigint): Promise<void> => {
  const money = balanceCurrency(world)
  gifts += 1
  const entries = [
    { ...money, account: 'capital' as const, amount },
    { ...money, account: 'app' as const, amount: -amount, holder: wallet },
  ]
  await withTransaction(world.database.pool, (client) =>
    postLedger(client, [{ cause: `capital:gift:${gifts}`, event: 'given', entries }], Date.now()),
  )
}

/** A new integrator with a wallet of its own that has so much; `user` picks the account of the network. */
export const sponsoredIntegrator = async (
  world: HttpWorld,
  label: string,
  { user, balance }: { readonly user: number; readonly balance: bigint },
): Promise<SponsoredIntegrator> => {
  const { apiKey } = await world.host.createApiKey(label)
  const account = userOf(world.network, user)
  await linkWallet(world, apiKey, account)
  const wallet = account.address.toLowerCase()
  if (balance > 0n) await give(world, wallet, balance)
  return { apiKey, wallet }
}

/** What a wallet's accounts hold of the dollar, those at zero left out. */
export const holdings = async ({ database }: HttpWorld, wallet: string) => {
  const [{ chainId: _, currency: __, ...accounts } = {} as AppBalance] = await readAppBalances(database.pool, wallet)
  return Object.fromEntries(Object.entries(accounts).filter(([, amount]) => amount !== 0n))
}

/** Sends every transaction of a quote, as the user would. */
export const execute = async (world: HttpWorld, answer: unknown, user = userOf(world.network, 0)): Promise<void> => {
  const [{ chain }] = world.network.chains
  for (const step of listAt(answer, 'steps')) {
    const to = textAt(step, 'items.0.data.to')
    // CAST: calldata is hex.
    const data = textAt(step, 'items.0.data.data') as Hex
    await receiptOf(chain, await chain.send(user, { to, data, value: amountAt(step, 'items.0.data.value') }))
  }
}

/** Waits for the end of a request. */
export const statusOf = async ({ host }: HttpWorld, answer: unknown): Promise<unknown> =>
  until('the end of the request', async () => {
    const { body } = await callApi(host.url, `/intents/status/v3?requestId=${textAt(answer, 'requestId')}`)
    return ['success', 'refund', 'failure'].includes(String(valueAt(body, 'status'))) ? body : null
  })

/** The record of a request, of version 2 or 3. */
export const recordOf = async ({ host }: HttpWorld, answer: unknown, version: 'v2' | 'v3' = 'v3'): Promise<unknown> => {
  const id = textAt(answer, 'requestId')
  const { body } = await callApi(host.url, `/requests/${version}?id=${id}`, { apiKey: host.apiKey })
  return valueAt(body, 'requests.0')
}
