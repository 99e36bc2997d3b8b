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
 * How a request moves a token: by `transfer`, or by `approve` and `transferFrom` of the depository itself. The depository takes a `transfer`
 * that answers false for failed, and USDT of Tron answers so when it succeeds.
 */
export type RequestForm = 'transfer' | 'transferFrom'

const callsOf = (
  { to, money: { currency, amount } }: WithdrawalTerms,
  form: RequestForm,
  depository: string,
): readonly RequestCall[] => {
  if (currency === NATIVE) return [{ to, data: '', value: amount }]
  const call = (data: string): RequestCall => ({ to: currency, data, value: 0n })
  if (form === 'transfer') return [call(TRC20.transfer + addressWord(to) + wordOf(amount))]
  return [
    call(TRC20.approve + addressWord(depository) + wordOf(amount)),
    call(TRC20.transferFrom + addressWord(depository) + addressWord(to) + wordOf(amount)),
  ]
}

/** Key of the depository's `callRequests`: a request runs at most once. */
export const withdrawalStructHash = (terms: WithdrawalTerms, form: RequestForm, depository: string): Hex => {
  const calls = callsOf(terms, form, depository)
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
export const executeData = (
  terms: WithdrawalTerms & { readonly signature: Hex },
  form: RequestForm,
  depository: string,
): string => {
  const calls = callsOf(terms, form, depository).map(
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
  const count = Number(BigInt(`0x${at(HEAD_WORDS - 1)}`))
  if (count !== 1 && count !== 2) return null
  const form: RequestForm = count === 2 ? 'transferFrom' : 'transfer'
  const last = HEAD_WORDS + Number(BigInt(`0x${at(HEAD_WORDS + count - 1)}`) / 32n)
  const call = args.slice((last + 5) * WORD)
  const length = Number(BigInt(`0x${at(last + 4)}`) % 1_000_000n)
  const signature = Number(BigInt(`0x${at(1)}`) / 32n)
  const tail = args.slice((signature + 4) * WORD)
  if (length === 0)
    return { form, to: addressOf(at(last)), money: { currency: NATIVE, amount: BigInt(`0x${at(last + 2)}`) }, tail }
  const skipped = count === 2 ? 1 : 0
  const recipient = call.slice(8 + skipped * WORD, 8 + (skipped + 1) * WORD)
  const amount = BigInt(`0x${call.slice(8 + (skipped + 1) * WORD, 8 + (skipped + 2) * WORD) || '0'}`)
  return { form, to: addressOf(recipient), money: { currency: addressOf(at(last)), amount }, tail }
}
