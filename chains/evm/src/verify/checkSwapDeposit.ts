import type { DepositFacts } from '@causeway/core/verify'
import { selectorOf, type WordValue, wordAt, wordDigits } from './evmCalls.js'
import type { EvmTransaction } from './evmTransaction.js'

const NATIVE = `0x${'0'.repeat(40)}`

/** Swap: calls (to, data, value), what goes in, how much, what comes out, least of it, deadline, who gets leftovers. */
const SIGNATURE =
  'swapAndDeposit(((address,bytes,uint256)[],address,uint256,address,uint256,uint256,address),address,address,bytes32)'

/** Words of the call: offset of the swap, depository, depositor, order id; then those of the swap, its calls' offset first. */
const HEAD = { swap: 0, depository: 1, depositor: 2, id: 3 } as const
const SWAP = { calls: 4, tokenIn: 5, amountIn: 6, tokenOut: 7, minimumOut: 8, leftoverTo: 10 } as const
const SWAP_OFFSET = 128n
const CALLS_OFFSET = 224n

/**
 * A deposit through the swap router contract: whatever its calls do, it takes `amountIn` at most and deposits `minimumOut` at
 * least under the order id, or nothing happens. That holds for the genuine router only.
 */
export const checkSwapDeposit = ({ to, data, value }: EvmTransaction, facts: DepositFacts): void => {
  const { findings, paid, amount, swapRouter, slug } = facts
  if (swapRouter === null) findings.notCovered.push(`that ${to} is the swap router of ${slug} (options.swapRouters)`)
  else findings.sameHex('The receiver of the deposit transaction', to, swapRouter)
  findings.same('The function of the deposit transaction', data.slice(0, 10), selectorOf(SIGNATURE))
  for (const [name, index, expected] of expectedWords(facts)) {
    findings.require(wordAt(data, index) === wordDigits(expected), `${name} of the swap is not as quoted`)
  }
  const minimumDigits = wordAt(data, SWAP.minimumOut)
  const minimumOut = /^[0-9a-f]{64}$/.test(minimumDigits) ? BigInt(`0x${minimumDigits}`) : null
  findings.require(
    minimumOut !== null && minimumOut <= amount && minimumOut + facts.swapSlippage >= amount && minimumOut > 0n,
    'The least that the swap must give is not as quoted',
  )
  const native = paid.currency.toLowerCase() === NATIVE
  findings.same('The value of the deposit transaction', value, native ? paid.amount : 0n)
}

const expectedWords = (facts: DepositFacts): readonly (readonly [string, number, WordValue])[] => [
  ['The place', HEAD.swap, SWAP_OFFSET],
  ['The depository', HEAD.depository, facts.depository],
  ['The depositor', HEAD.depositor, facts.sender],
  ['The order id', HEAD.id, facts.orderId],
  ['The place of the calls', SWAP.calls, CALLS_OFFSET],
  ['The input currency', SWAP.tokenIn, facts.paid.currency],
  ['The input', SWAP.amountIn, facts.paid.amount],
  ['The output currency', SWAP.tokenOut, facts.currency],
  ['The receiver of leftovers', SWAP.leftoverTo, facts.sender],
]
