import { answerOf, keptAnswers } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { hexOf } from '../address/addresses.js'
import { COUNT, WHOLE } from './fields.js'
import { type Asked, call, orNone } from './tronNode.js'

const readAccount = orNone(
  answerOf(
    Type.Object({
      balance: Type.Optional(COUNT),
      type: Type.Optional(Type.String()),
      // The name of the field has this typing error.
      latest_opration_time: Type.Optional(COUNT),
    }),
  ),
)

/** An account in the newest block. */
export interface AccountState {
  /** Sun. */
  readonly balance: bigint
  readonly isContract: boolean
  /** Time of the block before the one with its newest transaction, in Unix milliseconds; 0: it sent none. */
  readonly lastOperation: bigint
}

/** Null: the account does not exist; its first TRX activates it. */
export const askAccount = async (asked: Asked, address: string): Promise<AccountState | null> => {
  const json = await call(asked, 'wallet/getaccount', { address: hexOf(address) }, readAccount)
  if (json === null) return null
  const { balance = '0', type, latest_opration_time: last = '0' } = json
  return { balance: BigInt(balance), isContract: type === 'Contract', lastOperation: BigInt(last) }
}

const readResources = answerOf(
  Type.Object({
    ...{ freeNetLimit: Type.Optional(COUNT), freeNetUsed: Type.Optional(COUNT) },
    ...{ NetLimit: Type.Optional(COUNT), NetUsed: Type.Optional(COUNT) },
    ...{ EnergyLimit: Type.Optional(COUNT), EnergyUsed: Type.Optional(COUNT) },
  }),
)

/** Bandwidth in bytes, and energy, that an account has left now. */
export interface Resources {
  readonly freeNet: bigint
  readonly stakedNet: bigint
  readonly energy: bigint
}

export const NO_RESOURCES: Resources = { freeNet: 0n, stakedNet: 0n, energy: 0n }

export const askResources = async (asked: Asked, address: string): Promise<Resources> => {
  const json = await call(asked, 'wallet/getaccountresource', { address: hexOf(address) }, readResources)
  const left = (limit = '0', used = '0'): bigint => (BigInt(limit) > BigInt(used) ? BigInt(limit) - BigInt(used) : 0n)
  return {
    freeNet: left(json.freeNetLimit, json.freeNetUsed),
    stakedNet: left(json.NetLimit, json.NetUsed),
    energy: left(json.EnergyLimit, json.EnergyUsed),
  }
}

const readParameters = answerOf(
  Type.Object({ chainParameter: Type.Array(Type.Object({ key: Type.String(), value: Type.Optional(WHOLE) })) }),
)

/** Prices of the network, in sun; votes of the block producers change them (chains.md tvm 5). */
export interface Prices {
  readonly energy: bigint
  /** One byte of bandwidth. */
  readonly byte: bigint
  readonly memo: bigint
  /** Taken in place of bandwidth from a transaction that activates an account. */
  readonly activationBandwidth: bigint
  readonly activation: bigint
  /** Largest fee limit of a call. */
  readonly maxFeeLimit: bigint
  /** Whether contracts take no plain transfer of TRX. */
  readonly contractsRefuse: boolean
}

export const PRICES_VALID_MS = 30_000

export type PricesNow = () => Promise<Prices>

/** Prices, asked for once within half a minute. */
export const pricesBy = (asked: Asked): PricesNow => keptAnswers(PRICES_VALID_MS, () => askPrices(asked))

const askPrices = async (asked: Asked): Promise<Prices> => {
  const { chainParameter } = await call(asked, 'wallet/getchainparameters', {}, readParameters)
  const values = new Map(chainParameter.map(({ key, value = '0' }) => [key, BigInt(value)]))
  const value = (key: string): bigint => values.get(key) ?? 0n
  return {
    ...{ energy: value('getEnergyFee'), byte: value('getTransactionFee'), memo: value('getMemoFee') },
    activationBandwidth: value('getCreateAccountFee'),
    activation: value('getCreateNewAccountFeeInSystemContract'),
    maxFeeLimit: value('getMaxFeeLimit'),
    contractsRefuse: value('getForbidTransferToContract') === 1n,
  }
}
