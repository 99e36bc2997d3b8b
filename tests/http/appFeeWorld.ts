import type { LocalAccount } from '@causeway/chain-evm/testing'
import type { Hex } from '@causeway/core'
import { privateKeyToAccount } from 'viem/accounts'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { userOf } from '../harness/localNetwork.js'
import { receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, startHttpWorld, tokenBody } from './httpWorld.js'
import { amountAt } from './quoteAmounts.js'

/** A host that keeps balances in the dollar of the first chain. */
export const startAppFeeWorld = (
  plugins: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
  { swaps = false }: { readonly swaps?: boolean } = {},
): Promise<HttpWorld> =>
  startHttpWorld({
    swaps,
    plugins: () => ({ 'app-fees': {}, 'requests-v2': {}, ...plugins }),
    balances: ({ chains: [{ chain, usdc }] }) => ({ chainId: chain.chainId, currency: usdc }),
  })

/** Sends every transaction of a quote on the first chain, as its user would. */
export const execute = async ({ network }: HttpWorld, answer: unknown, user = userOf(network, 0)): Promise<void> => {
  const [{ chain }] = network.chains
  for (const step of listAt(answer, 'steps')) {
    const to = textAt(step, 'items.0.data.to')
    // CAST: calldata is hex.
    const data = textAt(step, 'items.0.data.data') as Hex
    await receiptOf(chain, await chain.send(user, { to, data, value: amountAt(step, 'items.0.data.value') }))
  }
}

export const statusOf = async ({ host }: HttpWorld, requestId: string): Promise<unknown> =>
  until('the end of the request', async () => {
    const { body } = await callApi(host.url, `/intents/status/v3?requestId=${requestId}`)
    return ['success', 'refund', 'failure'].includes(String(valueAt(body, 'status'))) ? body : null
  })

/** A transfer of dollars whose fees go to `fees`, to its end; the answer of its quote. */
export const transferWith = async (
  world: HttpWorld,
  fees: readonly { readonly recipient: string; readonly fee: string }[],
  amount = 100_000_000n,
): Promise<unknown> => {
  const body = tokenBody(world, { amount: amount.toString(), appFees: fees })
  const quote = await callApi(world.host.url, '/quote', { body })
  if (quote.status !== 200) throw new Error(`Quote refused: ${quote.text}`)
  await execute(world, quote.body)
  await statusOf(world, textAt(quote.body, 'requestId'))
  return quote.body
}

export const balancesOf = async ({ host }: HttpWorld, wallet: string): Promise<unknown> =>
  (await callApi(host.url, `/app-fees/${wallet}/balances`)).body

/** Waits until a wallet can claim just so many units of the balance currency. */
export const waitForBalance = (world: HttpWorld, wallet: string, amount: bigint): Promise<unknown> =>
  until(
    `a balance of ${amount}`,
    async () => {
      const answer = await balancesOf(world, wallet)
      const shown = listAt(answer, 'balances')
      const found = shown.length === 0 ? '0' : textAt(answer, 'balances.0.amount')
      return found === amount.toString() ? answer : null
    },
    30_000,
  )

export interface ClaimOf {
  readonly wallet: string
  readonly at?: 0 | 1
  readonly currency?: string
  readonly recipient?: string
  readonly amount?: bigint
}

/** Asks for a claim; in the balance currency unless told. */
export const askClaim = (
  { host, network }: HttpWorld,
  { wallet, at = 0, currency, recipient = wallet, amount }: ClaimOf,
): Promise<ApiAnswer> => {
  const { chain, usdc } = network.chains[at]
  const body = {
    chainId: chain.chainId,
    currency: currency ?? usdc,
    recipient,
    ...(amount === undefined ? {} : { amount: amount.toString() }),
  }
  return callApi(host.url, `/app-fees/${wallet}/claim`, { body })
}

/** The signature of an account over what the step says. */
export const signStep = (answer: unknown, { privateKey }: Pick<LocalAccount, 'privateKey'>): Promise<Hex> => {
  // CAST: the answer's schema says hex.
  const raw = textAt(answer, 'steps.0.items.0.data.sign.message') as Hex
  return privateKeyToAccount(privateKey).signMessage({ message: { raw } })
}

/** Posts a signature as the step says, to another path where one is given. */
export const postSignature = (
  { host }: HttpWorld,
  answer: unknown,
  signature: string,
  { path, body }: { readonly path?: string; readonly body?: object } = {},
): Promise<ApiAnswer> => {
  const item = 'steps.0.items.0.data.post'
  const to = path ?? textAt(answer, `${item}.endpoint`)
  return callApi(host.url, `${to}?signature=${signature}`, {
    body: { ...(valueAt(answer, `${item}.body`) as object), ...body },
  })
}

/** Claims of a wallet once the newest has ended. */
export const endOfClaim = ({ host }: HttpWorld, wallet: string): Promise<unknown> =>
  until(
    'the claim to end',
    async () => {
      const { body } = await callApi(host.url, `/app-fees/${wallet}/claims`)
      const status = valueAt(body, 'claims.0.status')
      return status === 'pending' || status === undefined ? null : body
    },
    30_000,
  )
