import { type Hex, ServiceError } from '@causeway/core'
import type { DepositRequest, StepItemDraft } from '@causeway/core/chain'
import { addressPaymentStep, depositStep } from '@causeway/core/chain-kit'
import type { BitcoinNetwork } from '../address/networks.js'
import type { FeeSource } from '../payout/feeSource.js'
import { watchedAddress } from '../read/balances.js'
import type { WatchedScript } from '../rpc/bitcoinSource.js'
import type { SourcePool } from '../rpc/sourcePool.js'
import { buildDepositPsbt, planDeposit, type ReadRaw } from './depositPsbt.js'

export interface BuildDepositDeps {
  readonly pool: SourcePool
  readonly network: BitcoinNetwork
  readonly depository: WatchedScript
  readonly fees: FeeSource
}

/**
 * The one step of a deposit: a PSBT of the user's own coins (wire.md A.5 bvm).
 * @throws ServiceError INSUFFICIENT_FUNDS with figures, AMOUNT_TOO_LOW, INVALID_ADDRESS, INVALID_REQUEST
 */
export const buildDeposit = (
  request: DepositRequest,
  { depository, ...deps }: BuildDepositDeps,
): Promise<readonly StepItemDraft[]> => buildPsbtStep({ ...request, to: depository.address }, deps)

/** What a wallet signs that pays an address; without an order id it is a plain payment. */
export type PsbtRequest = Pick<DepositRequest, 'from' | 'money' | 'userPublicKey'> & {
  readonly to: string
  readonly orderId: Hex | null
}

/**
 * A PSBT of the user's own coins that pays an address.
 * @throws ServiceError as `buildDeposit`
 */
export const buildPsbtStep = async (
  { from, to, money, orderId, userPublicKey }: PsbtRequest,
  { pool, network, fees }: Omit<BuildDepositDeps, 'depository'>,
): Promise<readonly StepItemDraft[]> => {
  const user = watchedAddress(from, network)
  const rate = await fees.rate()
  const terms = {
    network,
    from: user.address,
    publicKey: userPublicKey === undefined ? null : hexOf(userPublicKey),
    to,
    amount: money.amount,
    orderId,
    rate,
  }
  const plan = planDeposit(terms, await pool.ask((source) => source.coins(user)))
  const readRaw: ReadRaw = (txId) =>
    pool.ask(async (source) => {
      const raw = await source.rawTransaction(txId)
      if (raw === null) throw new ServiceError('RPC_HTTP_ERROR', 'A node of this chain lost a transaction.')
      return raw
    })
  const psbt = await buildDepositPsbt(terms, plan, readRaw)
  return [orderId === null ? addressPaymentStep({ psbt }) : depositStep({ psbt })]
}

/** Keys come with and without a prefix. */
const hexOf = (text: string): Hex => `0x${text.replace(/^0x/i, '')}`
