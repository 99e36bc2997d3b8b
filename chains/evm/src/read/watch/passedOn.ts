import { eventTopics } from '@causeway/contracts-abi'
import type { RpcLog } from '../../rpc/wire.js'
import type { Found } from './strays.js'

const addressOfTopic = (topic: string | undefined): string => `0x${(topic ?? '').slice(-40).toLowerCase()}`

/**
 * Deposits that a contract brought in for the account it names, such as those that are signed for: where that account itself sent the contract as much of the token
 * in the same transaction, the money was the account's, not the contract's. Each transfer counts once. One pass over the logs, and only where there is such a
 * deposit (faults.md F132).
 */
export const withOwners = (found: readonly Found[], logs: readonly RpcLog[]): readonly Found[] => {
  if (!found.some(isForAnother)) return found
  const sent = new Map<string, bigint>()
  for (const { address, topics, data, removed } of logs) {
    if (topics[0] !== eventTopics.transfer || topics.length !== 3 || data.length !== 66 || removed === true) continue
    const key = `${address.toLowerCase()}:${addressOfTopic(topics[1])}:${addressOfTopic(topics[2])}`
    sent.set(key, (sent.get(key) ?? 0n) + BigInt(data))
  }
  return found.map((deposit) => {
    if (!isForAnother(deposit)) return deposit
    const { currency, depositor, owner, amount } = deposit
    const key = `${currency}:${depositor}:${owner}`
    const left = (sent.get(key) ?? 0n) - amount
    if (left < 0n) return deposit
    sent.set(key, left)
    return { ...deposit, owner: depositor }
  })
}

/** Of tokens, with an order id, and announced for somebody else than whom they came from. */
const isForAnother = ({ orderId, owner, depositor }: Found): boolean =>
  orderId !== null && owner !== null && owner !== depositor
