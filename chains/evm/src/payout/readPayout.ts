import {
  depositAddressFactoryAbi,
  depositoryAbi,
  fillRouterAbi,
  permitRouterAbi,
  swapRouterAbi,
} from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { ChainMoney, PayoutPurpose } from '@causeway/core/chain'
import { requestGuard } from '@causeway/core/chain-kit'
import { decodeFunctionData, encodeFunctionData, size, slice } from 'viem/utils'
import { type Contracts, ZERO_ADDRESS } from '../address/addresses.js'
import { depositAddressOf, SWEEP_SELECTOR } from '../depositAddress/depositAddress.js'
import { erc20Abi } from './contracts/abis.js'
import { depositKey, PERMIT_FUNCTIONS } from './contracts/permitRouter.js'
import { markerOf } from './payoutForm.js'
import { withdrawalStructHash } from './withdrawal.js'

/** What a transaction of the solver was for, read from its bytes alone. */
export interface ReadPayout {
  /** Null when the transaction carries none: it is not a payout of this service. */
  readonly orderId: Hex | null
  /** Null when no marker tells: with an order id, it is that order's fill or refund. */
  readonly purpose: PayoutPurpose | null
  readonly to: string
  readonly money: ChainMoney
  /** Further guards beside the nonce. */
  readonly guards: readonly string[]
  /** Of a sweep: the address it takes from. What of each currency, its receipt tells. */
  readonly sweptFrom?: string
}

export interface CalledTransaction {
  readonly to: string | null
  readonly data: Hex
  readonly value: bigint
}

const ORDER_ID_BYTES = 32

/** Recognises every form of `buildPayout`; anything else comes back without an order id. */
export const readPayout = (tx: CalledTransaction, contracts: Contracts): ReadPayout => {
  const to = tx.to?.toLowerCase() ?? ZERO_ADDRESS
  const plain: ReadPayout = {
    orderId: null,
    purpose: null,
    to,
    money: { currency: ZERO_ADDRESS, amount: tx.value },
    guards: [],
  }
  try {
    if (to === contracts.depository) return readWithdrawal(tx.data) ?? plain
    if (to === contracts.fillRouter) return readRouter(tx) ?? plain
    if (to === contracts.permits?.router) return readPermit(tx.data, contracts) ?? plain
    if (to === contracts.swap?.router) return readSwapRouter(tx) ?? plain
    return (
      readSweep(to, tx, contracts) ??
      readApproval(to, tx) ??
      readUserCall(plain, tx.data) ??
      readTransfer(to, tx) ??
      readDirect(plain, tx.data)
    )
  } catch {
    return plain
  }
}

/** Purpose of a transaction of the solver; see `ReadPayout.purpose`. */
export const purposeOf = (tx: CalledTransaction, contracts: Contracts): PayoutPurpose | null =>
  readPayout(tx, contracts).purpose

const MARKED = (['excess', 'sweep', 'claim', 'send', 'approve', 'origin'] as const).map((purpose) => ({
  purpose,
  marker: markerOf(purpose),
}))

interface Trail {
  readonly orderId: Hex
  readonly purpose: PayoutPurpose | null
}

/** Reads what follows the first `start` bytes: an order id, perhaps behind a marker. */
const readTrail = (data: Hex, start: number): Trail | null => {
  const length = size(data) - start
  if (length === ORDER_ID_BYTES) return { orderId: slice(data, start), purpose: null }
  if (length !== ORDER_ID_BYTES + 4) return null
  const marker = slice(data, start, start + 4)
  const marked = MARKED.find((candidate) => candidate.marker === marker)
  return marked === undefined ? null : { orderId: slice(data, start + 4), purpose: marked.purpose }
}

const readDirect = (plain: ReadPayout, data: Hex): ReadPayout => ({ ...plain, ...readTrail(data, 0) })

/** A call for a user that the lane's account made itself: whatever was called, it ends with what no other payout has. */
const readUserCall = (plain: ReadPayout, data: Hex): ReadPayout | null => {
  const end = size(data) - ORDER_ID_BYTES - 4
  const trail = end <= 0 ? null : readTrail(data, end)
  return trail?.purpose === 'origin' ? { ...plain, ...trail } : null
}

/** What an owner signed for, brought in. */
const readPermit = (data: Hex, { depository }: Contracts): ReadPayout | null => {
  const decoded = decodeFunctionData({ abi: permitRouterAbi, data })
  const { functionName } = decoded
  if (!Object.values<string>(PERMIT_FUNCTIONS).includes(functionName)) return null
  // CAST: the functions of the list take the same arguments.
  const args = decoded.args as Extract<typeof decoded, { functionName: 'depositAuthorized' }>['args']
  const [{ orderId, owner, token, amount, deadline }] = args
  const called = { abi: permitRouterAbi, functionName: 'depositAuthorized', args } as const
  const trail = readTrail(data, size(encodeFunctionData(called)))
  if (trail?.purpose !== 'origin' || trail.orderId !== orderId) return null
  const money = { currency: token.toLowerCase(), amount }
  const guards = [requestGuard(depositKey({ orderId, owner, token }), Number(deadline))]
  return { ...trail, to: depository, money, guards }
}

const readTransfer = (token: string, tx: CalledTransaction): ReadPayout | null => {
  if (!tx.data.startsWith('0xa9059cbb') || size(tx.data) < 68) return null
  const { args } = decodeFunctionData({ abi: erc20Abi, data: tx.data })
  const [to, amount] = args
  if (typeof to !== 'string' || typeof amount !== 'bigint') return null
  const money = { currency: token, amount }
  return { orderId: null, purpose: null, to: to.toLowerCase(), money, guards: [], ...readTrail(tx.data, 68) }
}

/** Only one of ours: allowances of others pay nobody and are left alone. */
const readApproval = (token: string, tx: CalledTransaction): ReadPayout | null => {
  const trail = tx.data.startsWith('0x095ea7b3') && size(tx.data) > 68 ? readTrail(tx.data, 68) : null
  if (trail?.purpose !== 'approve') return null
  const money = { currency: token, amount: BigInt(slice(tx.data, 36, 68)) }
  return { ...trail, to: slice(tx.data, 16, 36).toLowerCase(), money, guards: [] }
}

/** Whatever factory it is of: one that is not configured any more swept for an order all the same. */
const readSweep = (factory: string, tx: CalledTransaction, { depository }: Contracts): ReadPayout | null => {
  if (!tx.data.startsWith(SWEEP_SELECTOR)) return null
  const decoded = decodeFunctionData({ abi: depositAddressFactoryAbi, data: tx.data })
  if (decoded.functionName !== 'sweep') return null
  const start = size(encodeFunctionData({ abi: depositAddressFactoryAbi, functionName: 'sweep', args: decoded.args }))
  const [orderId, depositor, [main = ZERO_ADDRESS]] = decoded.args
  const trail = readTrail(tx.data, start)
  if (trail?.purpose !== 'sweep' || trail.orderId !== orderId) return null
  const sweptFrom = depositAddressOf({ orderId, depositor }, factory)
  return { ...trail, to: depository, money: { currency: main.toLowerCase(), amount: 0n }, guards: [], sweptFrom }
}

const readRouter = (tx: CalledTransaction): ReadPayout | null => {
  const decoded = decodeFunctionData({ abi: fillRouterAbi, data: tx.data })
  if (decoded.functionName === 'fillNative') {
    const start = size(encodeFunctionData({ abi: fillRouterAbi, functionName: 'fillNative', args: decoded.args }))
    const [to] = decoded.args
    const money = { currency: ZERO_ADDRESS, amount: tx.value }
    return { orderId: null, purpose: null, to: to.toLowerCase(), money, guards: [], ...readTrail(tx.data, start) }
  }
  if (decoded.functionName !== 'fillCalls') return null
  const start = size(encodeFunctionData({ abi: fillRouterAbi, functionName: 'fillCalls', args: decoded.args }))
  const [calls, token, tokenAmount, sweepTo] = decoded.args
  const currency = token.toLowerCase()
  const money = { currency, amount: currency === ZERO_ADDRESS ? tx.value : tokenAmount }
  const trail = readTrail(tx.data, start)
  const purpose = trail === null ? null : (trail.purpose ?? 'fill')
  const [first] = calls
  const to = purpose === 'origin' && first !== undefined ? first.to : sweepTo
  return { orderId: trail?.orderId ?? null, purpose, to: to.toLowerCase(), money, guards: [] }
}

const readSwapRouter = (tx: CalledTransaction): ReadPayout | null => {
  const decoded = decodeFunctionData({ abi: swapRouterAbi, data: tx.data })
  if (decoded.functionName !== 'fillSwap') return null
  const start = size(encodeFunctionData({ abi: swapRouterAbi, functionName: 'fillSwap', args: decoded.args }))
  const [{ tokenIn, amountIn }, , recipient] = decoded.args
  const trail = readTrail(tx.data, start)
  return {
    orderId: trail?.orderId ?? null,
    purpose: trail === null ? null : (trail.purpose ?? 'fill'),
    to: recipient.toLowerCase(),
    money: { currency: tokenIn.toLowerCase(), amount: amountIn },
    guards: [],
  }
}

const readWithdrawal = (data: Hex): ReadPayout | null => {
  const decoded = decodeFunctionData({ abi: depositoryAbi, data })
  if (decoded.functionName !== 'execute') return null
  const start = size(encodeFunctionData({ abi: depositoryAbi, functionName: 'execute', args: decoded.args }))
  const [{ calls, nonce, expiration }] = decoded.args
  const [call] = calls
  const trail = readTrail(data, start)
  if (call === undefined || calls.length !== 1 || trail === null) return null
  const { to, money } = readWithdrawalCall(call)
  const nonceText: Hex = `0x${nonce.toString(16).padStart(64, '0')}`
  const structHash = withdrawalStructHash({ to, money, nonce: nonceText, expiration: Number(expiration) })
  return {
    orderId: trail.orderId,
    purpose: 'withdraw',
    to,
    money,
    guards: [requestGuard(structHash, Number(expiration))],
  }
}

const readWithdrawalCall = (call: { readonly to: string; readonly data: Hex; readonly value: bigint }) => {
  if (call.data === '0x') return { to: call.to.toLowerCase(), money: { currency: ZERO_ADDRESS, amount: call.value } }
  const { args } = decodeFunctionData({ abi: erc20Abi, data: call.data })
  const [to, amount] = args
  if (typeof to !== 'string' || typeof amount !== 'bigint') throw new Error('Not a transfer')
  return { to: to.toLowerCase(), money: { currency: call.to.toLowerCase(), amount } }
}
