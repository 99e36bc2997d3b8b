import { afterAll, beforeAll, expect } from 'vitest'
import { until } from '../harness/until.js'
import { loadKinds } from '../transfers/matrixCells.js'
import { currencyOf } from '../transfers/servedChain.js'
import {
  type AddressChain,
  type AddressRequest,
  type Given,
  give,
  type HostWorld,
  payTo,
  startHostWorld,
} from './hostWorld.js'

const kinds = await loadKinds()
export const EVM_MARKER = '0x0000000000000000000000000000000000000000'
const END_MS = 110_000

export let world: HostWorld

export const balance = (chain: AddressChain, holder: string, symbol: string): Promise<bigint> =>
  chain.reader.balance(holder, currencyOf(chain, symbol).address)

/** So many dollars of a native currency. */
export const worth = (vm: string, dollars: bigint): { readonly symbol: string; readonly amount: bigint } => {
  const kind = kinds.find(({ testing }) => testing.vmType === vm)
  if (kind === undefined) throw new Error(`There is no ${vm}`)
  const { symbol, decimals } = kind.testing.native
  return { symbol, amount: (dollars * 10n ** BigInt(decimals)) / kind.usd }
}

/** An address on a chain of a kind, for two hundred dollars to the second EVM chain. */
export const given = (vm: string, more: Partial<AddressRequest> = {}): Promise<Given> =>
  give(world, { from: world.chain(vm), to: world.chain('evm', 1), ...worth(vm, 200n), ...more })

/** What lies at an address, by the word of its chain's adapter: of an address that is a tag the ledger itself knows nothing. */
export const lies = async ({ request: { from, symbol }, address }: Given): Promise<bigint> => {
  const one = { orderId: `0x${'0'.repeat(64)}`, depositor: '', destination: { address }, derivation: null } as const
  const held = await from.adapter.depositAddresses?.holdings([one], [currencyOf(from, symbol).address])
  return held?.[0]?.[0]?.amount ?? 0n
}

export const ended = ({ requestId }: Pick<Given, 'requestId'>) => world.api.waitForEnd(requestId, END_MS)

export const received = ({ request, recipient }: Given): Promise<bigint> =>
  balance(request.to, recipient, request.into ?? request.symbol)

export const receivedAtLeast = (item: Given, least: bigint): Promise<bigint> =>
  until('the recipient to be paid', async () => {
    const amount = await received(item)
    return amount >= least && amount > 0n ? amount : null
  })

export const returned = async ({ request, refundTo }: Given): Promise<bigint> =>
  until('the refund', async () => (await balance(request.from, refundTo ?? '', request.symbol)) || null)

export interface History {
  readonly id: string
  readonly status: string
  readonly features: readonly string[]
  readonly refundTo: string | null
  readonly supersededByRequestId: string | null
  readonly depositAddress: {
    readonly address: string
    readonly type: string
    readonly depositTxHash: string | null
  } | null
  readonly data: {
    readonly failReason: string | null
    readonly refundFailReason: string | null
    readonly inTxs: readonly { readonly txHash: string }[]
  }
}

/** Records that a search by an address finds. */
export const historyOf = async ({ address }: Given): Promise<readonly History[]> => {
  const headers = { 'x-api-key': world.apiKey }
  const query = `depositAddress=${address}&includeChildRequests=true`
  const response = await fetch(`${world.url}/requests/v3?${query}`, { headers })
  // CAST: the shape is the record schema's, checked by the plugin's own tests.
  return ((await response.json()) as { readonly requests: readonly History[] }).requests
}

/** `POST /transactions/deposit-address/reindex` for another chain than the address was given on. */
export const reindexOn = ({ address, request }: Given, target: AddressChain): Promise<Response> =>
  fetch(`${world.url}/transactions/deposit-address/reindex`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': world.apiKey },
    body: JSON.stringify({
      chainId: request.from.chainId,
      depositAddress: address,
      targetChainId: target.chainId,
    }),
  })

/** An exact payment is filled by the original quote, and the records tell of the address. */
export const expectExactFilled = async (vm: string): Promise<void> => {
  const item = await given(vm)
  const paid = await payTo(item)
  expect(await ended(item)).toMatchObject({ status: 'success', failReason: 'N/A' })
  expect(await received(item)).toBe(item.amountOut)
  expect(await lies(item)).toBe(0n)
  const [record] = await historyOf(item)
  expect(record).toMatchObject({ id: item.requestId, refundTo: item.refundTo, features: ['deposit_address'] })
  expect(record?.depositAddress).toMatchObject({ address: item.address, type: 'open', depositTxHash: paid })
  // The transaction of a record is the sweep, not the payment (E.4).
  expect(record?.data.inTxs.map(({ txHash }) => txHash)).not.toContain(paid)
}

/** Native currency of an EVM chain by a contract, so that no transaction of the block names the address. */
export const payByContract = async ({ address, payer, quote }: Given, amount: bigint): Promise<string> => {
  // Creation code that calls the address with all it was given.
  const data = `0x60006000600060003473${address.slice(2)}5af100`
  const [fees] = quote.steps.flatMap(({ items }) => items.map((item) => item.data))
  // CAST: a transaction of an EVM chain, with the fees of now.
  const step = { ...(fees as object), to: undefined, data, value: amount.toString() }
  const signed = await payer.prepare([{ items: [{ data: step }] }])
  return signed.send()
}

/** Pays back what is parked of a request, as an operator does; returns what came to a fresh address. */
export const refundParked = async ({ requestId, request: { from, symbol } }: Given): Promise<bigint> => {
  const { rows } = await world.pool.query<{ id: string }>(
    'select d.id::text as id from deposits d join requests r on r.id = d.request_id where r.id = $1 or r.parent_request_id = $1',
    [Buffer.from(requestId.slice(2), 'hex')],
  )
  const to = await from.reader.freshAddress()
  const words = ['parked', 'refund', rows[0]?.id ?? '', '--to', to, '--reason', 'asked for it', '--yes']
  const { code, output } = await world.command(...words)
  if (code !== 0) throw new Error(`The refund was refused: ${output}`)
  return until('the operator’s refund', async () => (await balance(from, to, symbol)) || null)
}

/** Starts a host over a chain of each kind, or of those named, before the tests of a file, and stops it afterwards. */
export const usePaidAddresses = (vmTypes = kinds.map(({ testing }) => testing.vmType)): void => {
  beforeAll(async () => {
    const served = kinds.filter(({ testing }) => vmTypes.includes(testing.vmType))
    world = await startHostWorld(served, 24)
  })
  afterAll(() => world?.close())
}

/** Too little for a strict address, so that it goes back, at an address that a stranger sent one unit to before. */
export const disturbed = async () => {
  const item = await given('evm', { strict: true, refundTo: EVM_MARKER })
  const { from, symbol, amount } = item.request
  const stranger = from.nextWallet()
  await payTo(item, { amount: 1n, wallet: stranger })
  await until('the unit', async () => ((await lies(item)) === 1n ? true : null))
  const [had, strangerHad] = await Promise.all([
    balance(from, item.payer.address, symbol),
    balance(from, stranger.address, symbol),
  ])
  return { item, stranger, had, strangerHad, amount: amount - 2n }
}
