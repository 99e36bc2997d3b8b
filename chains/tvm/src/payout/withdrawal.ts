import { depositoryDomain, depositorySelectors, depositoryTypeHashes } from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import type { ChainMoney, Payout } from '@causeway/core/chain'
import { addressWord, bytesWords, keccakHex, keccakOfHex, TRC20, WORD, wordAt, wordOf } from '../address/abi.js'
import { addressOf, NATIVE } from '../address/addresses.js'

export interface WithdrawalTerms {
  readonly to: string
  readonly money: ChainMoney
  readonly nonce: Hex
  /** Unix seconds. */
  readonly expiration: number
}

/** A call of a request; its data is hex. */
interface RequestCall {
  readonly to: string
  readonly data: string
  readonly value: bigint
}

/**
 * Calls of a request, from the terms alone: the allocator never signs two requests for the same terms. A token moves by `approve` of the
 * depository itself and `transferFrom`: the depository takes a `transfer` that answers false for failed, and USDT of Tron answers so when it
 * succeeds.
 */
const callsOf = ({ to, money: { currency, amount } }: WithdrawalTerms, depository: string): readonly RequestCall[] => {
  if (currency === NATIVE) return [{ to, data: '', value: amount }]
  const call = (data: string): RequestCall => ({ to: currency, data, value: 0n })
  return [
    call(TRC20.approve + addressWord(depository) + wordOf(amount)),
    call(TRC20.transferFrom + addressWord(depository) + addressWord(to) + wordOf(amount)),
  ]
}

/** Key of the depository's `callRequests`: a request runs at most once. */
export const withdrawalStructHash = (terms: WithdrawalTerms, depository: string): Hex => {
  const calls = callsOf(terms, depository)
    .map(({ to, data, value }) =>
      keccakOfHex(
        depositoryTypeHashes.call.slice(2) + addressWord(to) + keccakOfHex(data) + wordOf(value) + wordOf(0n),
      ),
    )
    .join('')
  const request = [depositoryTypeHashes.callRequest.slice(2), keccakOfHex(calls), wordOf(BigInt(terms.nonce))]
  return `0x${keccakOfHex([...request, wordOf(BigInt(terms.expiration))].join(''))}`
}

const DOMAIN_TYPE = keccakHex(
  Buffer.from('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
)

/** Digest that the allocator signs: EIP-712 with the id that contracts of the chain see (TIP-712). */
export const withdrawalDigest = (
  structHash: Hex,
  { chainId, depository }: { readonly chainId: number; readonly depository: string },
): Uint8Array => {
  const { name, version } = depositoryDomain
  const names = keccakHex(Buffer.from(name)) + keccakHex(Buffer.from(version))
  const domain = keccakOfHex(DOMAIN_TYPE + names + wordOf(BigInt(chainId)) + addressWord(depository))
  return Buffer.from(keccakOfHex(`1901${domain}${structHash.slice(2)}`), 'hex')
}

/** Terms of a `withdraw` payout. @throws Error where it carries no authorization */
export const termsOf = ({ authorization, to, money }: Payout): WithdrawalTerms & { readonly signature: Hex } => {
  if (authorization === undefined) throw new Error('A withdraw payout needs the authorization of the allocator.')
  return { to: to.address, money, ...authorization }
}

/** Calldata of `execute(CallRequest request, bytes signature)`. */
export const executeData = (terms: WithdrawalTerms & { readonly signature: Hex }, depository: string): string => {
  const calls = callsOf(terms, depository).map(
    ({ to, data, value }) => addressWord(to) + wordOf(128n) + wordOf(value) + wordOf(0n) + bytesWords(data),
  )
  let offset = calls.length * 32
  const offsets = calls.map((call) => {
    const word = wordOf(BigInt(offset))
    offset += call.length / 2
    return word
  })
  const list = wordOf(BigInt(calls.length)) + offsets.join('') + calls.join('')
  const request = wordOf(96n) + wordOf(BigInt(terms.nonce)) + wordOf(BigInt(terms.expiration)) + list
  const head = wordOf(64n) + wordOf(BigInt(64 + request.length / 2))
  return depositorySelectors.execute.slice(2) + head + request + bytesWords(terms.signature.slice(2))
}

/** Words of `executeData` before the offsets of its calls. */
const HEAD_WORDS = 6

/** Recipient and money of a withdrawal, and the bytes behind its calldata; null for calldata of another form. */
export const readExecution = (data: string) => {
  if (!data.startsWith(depositorySelectors.execute.slice(2))) return null
  const args = data.slice(8)
  const at = (word: number): string => wordAt(args, word)
  const numberAt = (word: number): number => Number(BigInt(`0x${at(word)}`) % 1_000_000n)
  const count = numberAt(HEAD_WORDS - 1)
  if (count !== 1 && count !== 2) return null
  const last = HEAD_WORDS + numberAt(HEAD_WORDS + count - 1) / 32
  const tail = args.slice((numberAt(1) / 32 + SIGNATURE_WORDS) * WORD)
  if (count === 1)
    return { to: addressOf(at(last)), money: { currency: NATIVE, amount: BigInt(`0x${at(last + 2)}`) }, tail }
  // The arguments of `transferFrom` follow its selector: from, to, amount.
  const moved = args.slice((last + CALL_WORDS) * WORD + 8)
  const money = { currency: addressOf(at(last)), amount: BigInt(`0x${wordAt(moved, 2)}`) }
  return { to: addressOf(wordAt(moved, 1)), money, tail }
}

/** Words of a signature with its length, and of a call before its data. */
const SIGNATURE_WORDS = 4
const CALL_WORDS = 5
