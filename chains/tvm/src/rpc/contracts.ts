import { answerOf } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { addressWord, numberAt, TRC20, WORD, wordOf } from '../address/abi.js'
import { hexOf, sunNumber } from '../address/addresses.js'
import { ADDRESS, COUNT, HASH, HEX } from './fields.js'
import { revertText } from './reverts.js'
import { type Asked, call, messageText } from './tronNode.js'

const readTrial = answerOf(
  Type.Object({
    result: Type.Object({
      result: Type.Optional(Type.Boolean()),
      code: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
    }),
    energy_used: Type.Optional(COUNT),
    constant_result: Type.Optional(Type.Array(HEX)),
    logs: Type.Optional(
      Type.Array(Type.Object({ address: ADDRESS, topics: Type.Optional(Type.Array(HASH)), data: Type.Optional(HEX) })),
    ),
    transaction: Type.Optional(
      Type.Object({ ret: Type.Optional(Type.Array(Type.Object({ ret: Type.Optional(Type.String()) }))) }),
    ),
  }),
)

/** A call of a contract; data is hex without prefix. */
export interface ContractCall {
  readonly owner: string
  readonly to: string
  readonly data: string
  /** Sun. */
  readonly value?: bigint
}

/** What a call would do on the newest state. */
export interface Trial {
  /** In plain words; null where the call succeeds. */
  readonly failure: string | null
  readonly energy: bigint
  /** Result or revert data, hex. */
  readonly returned: string
  /** Undefined where the node does not show them. */
  readonly logs:
    | readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[]
    | null
}

/** Runs a call without a transaction (chains.md tvm 6). @throws ServiceError when the node does not answer */
export const runCall = async (asked: Asked, { owner, to, data, value = 0n }: ContractCall): Promise<Trial> => {
  const terms = { owner_address: hexOf(owner), contract_address: hexOf(to), data }
  const paid = value === 0n ? {} : { call_value: sunNumber(value) }
  const json = await call(asked, 'wallet/triggerconstantcontract', { ...terms, ...paid }, readTrial)
  const { result, energy_used: energy = '0', constant_result: [returned = ''] = [], transaction } = json
  const code = result.code ?? 'SUCCESS'
  const hasFailed = result.result !== true || code !== 'SUCCESS' || transaction?.ret?.[0]?.ret === 'FAILED'
  const message = messageText(result.message ?? '')
  return {
    failure: hasFailed ? (revertText(returned) ?? (message === '' ? code : message)) : null,
    ...{ energy: BigInt(energy), returned: returned.toLowerCase() },
    logs:
      json.logs?.map(({ address, topics = [], data: bytes = '' }) => ({
        ...{ address: address.slice(-40).toLowerCase(), topics, data: bytes },
      })) ?? null,
  }
}

/** A call that only reads. Its caller does not matter. */
const ask = (asked: Asked, to: string, data: string): Promise<Trial> => runCall(asked, { owner: to, to, data })

/** The word that a function answers; null where it fails, or there is no contract. */
export const askWord = async (asked: Asked, to: string, data: string): Promise<bigint | null> => {
  const { failure, returned } = await ask(asked, to, data)
  return failure === null && returned.length >= WORD ? numberAt(returned, 0) : null
}

/** Balance of a token; null where the token does not tell. */
export const askBalanceOf = (asked: Asked, token: string, holder: string): Promise<bigint | null> =>
  askWord(asked, token, TRC20.balanceOf + addressWord(holder))

export const askAllowance = (
  asked: Asked,
  { token, owner, spender }: { readonly token: string; readonly owner: string; readonly spender: string },
): Promise<bigint | null> => askWord(asked, token, TRC20.allowance + addressWord(owner) + addressWord(spender))

/** Text that a function answers, as a string or as 32 bytes; null where it answers none. */
export const askText = async (asked: Asked, to: string, selector: string): Promise<string | null> => {
  const { failure, returned } = await ask(asked, to, selector)
  if (failure !== null || returned.length < WORD) return null
  const isString = returned.length >= 2 * WORD && returned.startsWith(wordOf(32n))
  const length = isString ? Number(numberAt(returned, 1)) : 32
  const hex = isString ? returned.slice(2 * WORD, 2 * WORD + 2 * Math.min(length, 256)) : returned.slice(0, WORD)
  return Buffer.from(hex, 'hex').toString('utf8').replaceAll('\0', '')
}
