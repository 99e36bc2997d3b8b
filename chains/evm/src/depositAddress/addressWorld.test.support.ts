import { randomBytes } from 'node:crypto'
import type { Hex, Json } from '@causeway/core'
import type { Arrival, DepositAddress, Live, Payout, WatchPage } from '@causeway/core/chain'
import type { EvmAdapter } from '../adapter.js'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { encodeTransfer } from '../payout/contracts/staticCall.js'
import { privateKeySigner } from '../testing/localSigner.js'
import type { LocalAccount, LocalEvmChain } from '../testing/node/localChain.js'
import { NATIVE } from '../testing/sandboxChain.js'
import type { TestDeployment } from '../testing/testDeployment.js'

/** Tokens as a configuration lists them. */
export const listed = (...tokens: readonly string[]) => [
  NATIVE,
  ...tokens.map((address, at) => ({ ...NATIVE, address, symbol: `T${at}`, decimals: 6 })),
]

export const capability = ({ depositAddresses }: EvmAdapter) => {
  if (depositAddresses === undefined) throw new Error('The adapter has no deposit addresses')
  return depositAddresses
}

export const addressOf = (
  adapter: EvmAdapter,
  depositor: string,
  orderId: Hex = `0x${randomBytes(32).toString('hex')}`,
): DepositAddress => ({ orderId, depositor, ...capability(adapter).derive({ orderId, depositor }) })

/** What is live: addresses, and the kinds of quotes that users carry out alone; more of them after the next `refresh`. */
export const liveSet = (addresses: readonly string[], quotes: readonly string[] = []) => {
  const given = { addresses: new Set(addresses), kinds: new Set(quotes) }
  let known = { addresses: new Set<string>(), kinds: new Set<string>() }
  return {
    given,
    refresh: async () => {
      known = { addresses: new Set(given.addresses), kinds: new Set(given.kinds) }
    },
    has: (address: string) => known.addresses.has(address),
    get size() {
      return known.addresses.size
    },
    awaits: (kinds: readonly string[]) => kinds.some((kind) => known.kinds.has(kind)),
  } satisfies Live & { given: unknown }
}

/** Sends by a plain wallet and waits for the block. */
export const payPlainly = async (
  chain: LocalEvmChain,
  account: LocalAccount,
  to: DepositAddress,
  money: { readonly currency: string; readonly amount: bigint },
): Promise<Hex> => {
  const { address } = to.destination
  const transaction =
    money.currency === ZERO_ADDRESS
      ? { to: address, value: money.amount, gas: 21_000n }
      : { to: money.currency, data: encodeTransfer(address, money.amount) }
  const hash = await chain.send(account, transaction)
  while ((await chain.rpc('eth_getTransactionReceipt', [hash])) === null) await chain.mine()
  return hash
}

export interface ArrivalReading {
  readonly pages: readonly WatchPage[]
  readonly arrivals: readonly Arrival[]
  stop(): Promise<void>
}

/** Follows a watcher in the background. */
export const followArrivals = (adapter: EvmAdapter, cursor: Json, live: Live): ArrivalReading => {
  const control = new AbortController()
  const pages: WatchPage[] = []
  const arrivals: Arrival[] = []
  const run = (async () => {
    for await (const page of adapter.watch(cursor, live, control.signal)) {
      pages.push(page)
      arrivals.push(...(page.arrivals ?? []))
    }
  })()
  return {
    pages,
    arrivals,
    stop: async () => {
      control.abort()
      await run
    },
  }
}

export const sweepPayout = (
  { depository, chain }: TestDeployment,
  address: DepositAddress,
  money: { readonly currency: string; readonly amount: bigint },
  currencies: readonly string[] = [money.currency],
): Payout => ({
  purpose: 'sweep',
  orderId: address.orderId,
  from: chain.accounts[1]?.address ?? '',
  to: { address: depository },
  money,
  calls: [],
  sweep: { address, currencies },
})

/** Prepares, signs and sends a sweep, and tells its state once it is in a block. */
export const sweepNow = async (adapter: EvmAdapter, { chain }: TestDeployment, payout: Payout) => {
  const { lane } = adapter
  const signer = privateKeySigner(chain.accounts[1]?.privateKey ?? '0x')
  const { position } = await lane.read(lane.addressOf(signer), null)
  const simulation = await adapter.simulate(payout)
  const gas = simulation.ok ? simulation.gas : null
  const [prepared] = (await lane.prepare([{ payout, gas }], position)).prepared
  if (prepared === null || prepared === undefined) throw new Error('Nothing was prepared')
  const attempt = await lane.sign(prepared, signer)
  await lane.broadcast([attempt])
  for (;;) {
    const [state] = await lane.states([{ txId: attempt.txId, payout }])
    if (state?.status === 'success' || state?.status === 'reverted') return { simulation, state, attempt }
    await chain.mine()
  }
}
