import { ServiceError } from '@causeway/core'
import { personalDigest, type WalletSignatures } from '@causeway/core/plugin'

/** What a message must say to sign in here. */
export interface SignInTerms {
  /** `https://transfer.example`: its authority is the message's domain, the whole its URI. */
  readonly origin: string
  readonly chainIds: readonly number[]
  readonly statement: string
  /** Unix milliseconds. */
  readonly now: number
  readonly maxAgeMs: number
  judgeNonce(nonce: string): 'valid' | 'expired' | 'foreign'
  readonly signatures: WalletSignatures
  /** Called before a chain is asked about a contract wallet; throws where none may be. */
  beforeAsking(): void
}

/** Who signed a message that is good. */
export interface Signer {
  /** In lower case. */
  readonly address: string
  /** Still to be used up. */
  readonly nonce: string
  /** The chain whose contract at the address vouched; null: the key of the account signed. */
  readonly chainId: number | null
}

export interface SignedMessage {
  readonly message: string
  readonly signature: string
}

/** How far a wallet's clock may be ahead of ours, in milliseconds. */
const CLOCK_SKEW_MS = 60_000

const refuse = (reason: string): never => {
  throw new ServiceError('UNAUTHORIZED', reason)
}

type Fields = Awaited<ReturnType<typeof parse>>

const parse = async (message: string) => (await import('viem/siwe')).parseSiweMessage(message)

const lineOf = (message: string, name: string): string[] => {
  const text = new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1]
  return text === undefined ? [] : [`${name}: ${text}`]
}

/** The one text that has these fields: the parser alone would let text stand before, between and behind them. */
const textOf = (message: string, fields: Fields): string =>
  [
    `${fields.scheme === undefined ? '' : `${fields.scheme}://`}${fields.domain} wants you to sign in with your Ethereum account:`,
    fields.address,
    '',
    fields.statement,
    '',
    `URI: ${fields.uri}`,
    `Version: ${fields.version}`,
    `Chain ID: ${fields.chainId}`,
    `Nonce: ${fields.nonce}`,
    ...lineOf(message, 'Issued At'),
    ...lineOf(message, 'Expiration Time'),
    ...lineOf(message, 'Not Before'),
    ...lineOf(message, 'Request ID'),
  ].join('\n')

/** The chain that the message names. */
const checkPlace = (fields: Fields, { origin, chainIds, statement }: SignInTerms): number => {
  const { host, protocol } = new URL(origin)
  const { chainId } = fields
  if (fields.domain !== host) refuse(`The message is for another domain; here it must be ${host}`)
  if (fields.scheme !== undefined && `${fields.scheme}:` !== protocol) refuse('The message is for another scheme')
  if (fields.uri !== origin) refuse('The message is for another URI; it must be the one given with the nonce')
  if (fields.version !== '1') refuse('The version of the message must be 1')
  if (chainId === undefined || !chainIds.includes(chainId)) {
    return refuse('The message names a chain that is not one of those given with the nonce')
  }
  if (fields.statement !== statement) refuse('The message has another statement than the one given with the nonce')
  if (fields.resources !== undefined) refuse('The message must not list resources')
  return chainId
}

const checkTimes = (fields: Fields, { now, maxAgeMs }: SignInTerms): void => {
  const issuedAt = fields.issuedAt?.getTime() ?? Number.NaN
  const until = fields.expirationTime?.getTime() ?? Number.POSITIVE_INFINITY
  const from = fields.notBefore?.getTime() ?? issuedAt
  if ([issuedAt, until, from].some(Number.isNaN))
    refuse('The times of the message must be written like 2026-01-31T12:00:00Z')
  if (issuedAt > now + CLOCK_SKEW_MS) refuse('The message was issued in the future; check the clock')
  if (issuedAt < now - maxAgeMs) refuse('The message is too old; ask for a new nonce and sign again')
  if (until <= now) refuse('The message has expired; ask for a new nonce and sign again')
  if (from > now + CLOCK_SKEW_MS) refuse('The message is not valid yet')
}

const checkNonce = (nonce: string | undefined, { judgeNonce }: SignInTerms): string => {
  const judged = judgeNonce(nonce ?? '')
  if (nonce === undefined || judged === 'foreign') return refuse('The nonce is not one that was given out here')
  if (judged === 'expired') refuse('The nonce has expired; ask for a new one and sign again')
  return nonce
}

/**
 * Checks a signed EIP-4361 message against the terms, its signature last: that of a contract wallet (EIP-1271, ERC-6492) has the
 * chain asked which the message names. Throws `ServiceError` `UNAUTHORIZED` with a reason for the one who signed, or
 * what says that the chain cannot be asked.
 */
export const checkSignInMessage = async (
  { message, signature }: SignedMessage,
  terms: SignInTerms,
): Promise<Signer> => {
  const fields = await parse(message)
  if (fields.address === undefined || fields.nonce === undefined) refuse('The message is not one of EIP-4361')
  const chainId = checkPlace(fields, terms)
  const nonce = checkNonce(fields.nonce, terms)
  checkTimes(fields, terms)
  if (textOf(message, fields) !== message) refuse('The message is not one of EIP-4361')
  const address = String(fields.address).toLowerCase()
  const verdict = await terms.signatures.verify({
    wallet: address,
    digest: personalDigest(message),
    signature,
    chainIds: [chainId],
    beforeAsking: terms.beforeAsking,
  })
  if (verdict.kind === 'refused') return refuse(verdict.reason)
  return { address, nonce, chainId: verdict.kind === 'contract' ? verdict.chainId : null }
}
