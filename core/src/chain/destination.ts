import type { ChainAdapter } from './chainAdapter.js'
import type { Destination } from './chainReferences.js'

export type DestinationCheck =
  | { readonly ok: true; readonly destination: Destination }
  | { readonly ok: false; readonly why: string }

/** Tags are 32 bits (chains.md xrpvm 1). */
const MOST_TAG = 2 ** 32 - 1
/** Longer memos name no deposit address. */
const MOST_MEMO_BYTES = 128
const TAG_FORM = /^(0|[1-9]\d{0,9})$/
const CONTROL = /\p{Cc}/u

/**
 * One text for a whole destination, as users name it, and as columns, records and logs hold it (wire.md 1.1 9): the address alone, else
 * `<address>?tag=7`, `<address>?memo=a%20text`, or both in that order. No address has a question mark in it.
 */
export const destinationText = ({ address, tag, memo }: Destination): string => {
  const parts = [
    ...(tag === undefined ? [] : [`tag=${tag}`]),
    ...(memo === undefined ? [] : [`memo=${encodeURIComponent(memo)}`]),
  ]
  return parts.length === 0 ? address : `${address}?${parts.join('&')}`
}

/** Reads what `destinationText` wrote; the address is not looked at. @throws RangeError for any other text */
export const parseDestination = (text: string): Destination => {
  const split = splitText(text)
  if (split.ok) return split.destination
  throw new RangeError(`"${text}" names no destination: ${split.why}`)
}

/**
 * Checks what a user named: an address of the chain, which may have a tag within it, and `?tag=` or `?memo=` behind it. What the
 * chain's payments cannot carry is refused, since money without its tag is nobody's.
 */
export const readDestination = (
  adapter: Pick<ChainAdapter, 'validateAddress' | 'capabilities'>,
  text: string,
): DestinationCheck => {
  const split = splitText(text)
  if (!split.ok) return split
  const { address, tag: behind, memo } = split.destination
  const check = adapter.validateAddress(address)
  if (!check.ok) return check
  const tag = behind ?? check.tag
  if (check.tag !== undefined && check.tag !== tag) return refuse('it names two tags')
  const why = whyNotCarried(adapter.capabilities, { tag, memo })
  if (why !== null) return refuse(why)
  return { ok: true, destination: destinationOf(check.canonical, tag, memo) }
}

/**
 * As `readDestination`, in the form in which an address to pay to is stored (`DepositAddresses.spell`). Users pay it, so its memo may be one
 * that payments of this service do not carry.
 */
export const readAddressToPay = (
  adapter: Pick<ChainAdapter, 'validateAddress' | 'capabilities' | 'depositAddresses'>,
  text: string,
): DestinationCheck => {
  const { capabilities, depositAddresses } = adapter
  const hasMemos = depositAddresses?.forms.includes('memo') === true
  const carried = hasMemos ? { ...capabilities, destinationMemoBytes: MOST_MEMO_BYTES } : capabilities
  const check = readDestination(
    { validateAddress: (address) => adapter.validateAddress(address), capabilities: carried },
    text,
  )
  if (!check.ok) return check
  const { destination } = check
  return { ok: true, destination: adapter.depositAddresses?.spell?.(destination) ?? destination }
}

/** Whether both are one owner: the same account, and the same tag and memo, of which none is another than 0 (faults.md F24). */
export const sameDestination = (
  adapter: Pick<ChainAdapter, 'sameAddress'>,
  left: Destination,
  right: Destination,
): boolean => left.tag === right.tag && left.memo === right.memo && adapter.sameAddress(left.address, right.address)

/** Whether nothing but the address tells who is paid. */
export const isPlainDestination = ({ tag, memo }: Destination): boolean => tag === undefined && memo === undefined

const refuse = (why: string): Extract<DestinationCheck, { ok: false }> => ({ ok: false, why })

const destinationOf = (address: string, tag?: number, memo?: string): Destination => ({
  address,
  ...(tag === undefined ? {} : { tag }),
  ...(memo === undefined ? {} : { memo }),
})

const whyNotCarried = (
  { destinationTag, destinationMemoBytes = 0 }: ChainAdapter['capabilities'],
  { tag, memo }: { readonly tag: number | undefined; readonly memo: string | undefined },
): string | null => {
  if (tag !== undefined && !destinationTag) return 'payments on this chain carry no tag'
  if (memo === undefined) return null
  if (destinationMemoBytes === 0) return 'payments on this chain carry no memo'
  if (new TextEncoder().encode(memo).length <= destinationMemoBytes) return null
  return `its memo is longer than ${destinationMemoBytes} bytes`
}

const splitText = (text: string): DestinationCheck => {
  const at = text.indexOf('?')
  if (at < 0) return { ok: true, destination: { address: text } }
  const fields = new Map<string, string>()
  for (const part of text.slice(at + 1).split('&')) {
    const [, name = '', value = ''] = /^(tag|memo)=(.*)$/s.exec(part) ?? []
    if (name === '' || fields.has(name))
      return refuse('behind the address only "?tag=" and "?memo=" may stand, each once')
    fields.set(name, value)
  }
  const [tag, memo] = [fields.get('tag'), fields.get('memo')]
  if (tag !== undefined && (!TAG_FORM.test(tag) || Number(tag) > MOST_TAG))
    return refuse(`its tag must be a whole number up to ${MOST_TAG}`)
  const decoded = memo === undefined ? undefined : decodeMemo(memo)
  if (decoded === null) return refuse('its memo must be percent-encoded text')
  return {
    ok: true,
    destination: destinationOf(text.slice(0, at), tag === undefined ? undefined : Number(tag), decoded),
  }
}

/** Null for what is no text, empty, or has characters nobody can see. */
const decodeMemo = (encoded: string): string | null => {
  try {
    const memo = decodeURIComponent(encoded)
    // A half of a character can be decoded but not be encoded again.
    encodeURIComponent(memo)
    return memo === '' || CONTROL.test(memo) ? null : memo
  } catch {
    return null
  }
}
