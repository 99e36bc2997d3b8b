import { hexDigits, hexToBytes, portableKeccak256 } from '@causeway/core/verify'
import { type WordValue, wordDigits } from './evmCalls.js'

const hashOf = (digits: string): string => hexDigits(portableKeccak256(hexToBytes(`0x${digits}`, 'what is hashed')))

const hashWords = (...values: readonly WordValue[]): string => hashOf(values.map(wordDigits).join(''))

const ADDRESS_DIGITS = 40

/** What the permit router knows a deposit by: the nonce of EIP-3009 and Permit2. */
export const depositKey = (orderId: string, owner: string, token: string): string =>
  `0x${hashWords(orderId, owner, token)}`

/** What an EIP-2612 permit allows to take the tokens: a contract whose address is made of all that is signed for (CREATE2). */
export const permitReceiver = (
  router: string,
  terms: {
    readonly orderId: string
    readonly owner: string
    readonly token: string
    readonly amount: bigint
    readonly deadline: bigint
  },
): string => {
  const from = router.slice(2).toLowerCase()
  // The first contract that the router made (CREATE with the nonce 1), which its receivers are proxies of.
  const implementation = hashOf(`d694${from}01`).slice(-ADDRESS_DIGITS)
  const code = hashOf(`3d602d80600a3d3981f3363d3d373d3d3d363d73${implementation}5af43d82803e903d91602b57fd5bf3`)
  const { orderId, owner, token, amount, deadline } = terms
  const salt = hashWords(orderId, owner, token, amount, deadline)
  return `0x${hashOf(`ff${from}${salt}${code}`).slice(-ADDRESS_DIGITS)}`
}
