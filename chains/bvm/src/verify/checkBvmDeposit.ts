import {
  type DepositFacts,
  encodeAddress,
  hexDigits,
  type TransactionStep,
  textAt,
  UnreadableQuoteError,
} from '@causeway/core/verify'
import { readPsbt } from './psbt.js'

const RETURN = '6a'
/** Of all outputs, whoever signs: what BIP-174 takes for granted, and Taproot's own word for it. */
const SIGNS_ALL = [0n, 1n]

/**
 * The form of a deposit on Bitcoin: a PSBT whose outputs are the depository's, the order id, and the change of the user
 * (chains.md bvm 3).
 */
export const checkBvmDeposit = (steps: readonly TransactionStep[], facts: DepositFacts): void => {
  const { findings, sender, depository, amount, orderId, isSwapped } = facts
  findings.notCovered.push('which coins are spent and what the network gets: the wallet shows them')
  const [step] = steps
  if (steps.length !== 1 || step?.id !== 'deposit') throw new UnreadableQuoteError('A deposit on Bitcoin is one step')
  findings.require(!isSwapped, 'There is no swap on Bitcoin')
  const { outputs, sighashes } = readPsbt(textAt(step.data, 'psbt'))
  findings.require(
    sighashes.every((type) => SIGNS_ALL.includes(type)),
    'The PSBT asks for signatures that leave outputs open',
  )
  const [own, theirs] = [scriptOf(sender), scriptOf(depository)]
  const paid = outputs.reduce((sum, { script, value }) => (script === theirs ? sum + value : sum), 0n)
  findings.same('What the depository gets', paid, amount)
  const texts = outputs.filter(({ script }) => script.startsWith(RETURN))
  findings.same('The number of texts', texts.length, 1)
  for (const { script, value } of texts) {
    findings.same('The text of the transaction', script, orderText(orderId))
    findings.same('What the text burns', value, 0n)
  }
  for (const { script } of outputs) {
    const known = script === own || script === theirs || script.startsWith(RETURN)
    findings.require(known, `The transaction pays somebody else (${script.slice(0, 80)})`)
  }
}

const orderText = (orderId: string): string => {
  const bytes = new TextEncoder().encode(orderId.toLowerCase())
  return `${RETURN}${bytes.length.toString(16)}${hexDigits(bytes)}`
}

/** Output script of an address, from its bytes in order ids. @throws OrderEncodingError */
const scriptOf = (address: string): string => {
  const [mark = 0, ...rest] = encodeAddress('bitcoin-vm', address)
  const [version, ...hash] = rest
  const bytes =
    mark !== LEGACY
      ? [mark === 0 ? 0 : 0x50 + mark, rest.length, ...rest]
      : version === 0
        ? [0x76, 0xa9, hash.length, ...hash, 0x88, 0xac]
        : [0xa9, hash.length, ...hash, 0x87]
  return hexDigits(Uint8Array.from(bytes))
}

const LEGACY = 0xff
