import { ServiceError } from '@causeway/core'
import type { Hex } from 'viem'

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
}

export interface SignedMessage {
  readonly message: string
  readonly signature: string
}

/** How far a wallet's clock may be ahead of ours, in milliseconds. */
const CLOCK_SKEW_MS = 60_000
/** Half the order of secp256k1: of the two signatures that a signer could give, only the lower is taken. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const signatureFormat = /^0x[0-9a-fA-F]{64}([0-9a-fA-F]{64})(?:1[bcBC])$/

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

const checkPlace = (fields: Fields, { origin, chainIds, statement }: SignInTerms): void => {
  const { host, protocol } = new URL(origin)
  if (fields.domain !== host) refuse(`The message is for another domain; here it must be ${host}`)
  if (fields.scheme !== undefined && `${fields.scheme}:` !== protocol) refuse('The message is for another scheme')
  if (fields.uri !== origin) refuse('The message is for another URI; it must be the one given with the nonce')
  if (fields.version !== '1') refuse('The version of the message must be 1')
  if (fields.chainId === undefined || !chainIds.includes(fields.chainId)) {
    refuse('The message names a chain that is not one of those given with the nonce')
  }
  if (fields.statement !== statement) refuse('The message has another statement than the one given with the nonce')
  if (fields.resources !== undefined) refuse('The message must not list resources')
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

const signerOf = async ({ message, signature }: SignedMessage): Promise<string> => {
  const s = signatureFormat.exec(signature)?.[1]
  if (s === undefined || BigInt(`0x${s}`) > HALF_ORDER) {
    return refuse(
      'The signature must be 65 bytes by the key of an account; those of contract accounts cannot be checked here',
    )
  }
  const { recoverMessageAddress } = await import('viem')
  try {
    // CAST: the pattern matched.
    return await recoverMessageAddress({ message, signature: signature as Hex })
  } catch {
    return refuse('The signature is not one of this message')
  }
}

/**
 * Checks a signed EIP-4361 message against the terms and gives its lower-case address and its nonce, which the caller
 * still has to use up. Needs no network, so that signatures of contract accounts (ERC-1271, ERC-6492) are refused.
 * Throws `ServiceError` `UNAUTHORIZED` with a reason for the one who signed.
 */
export const checkSignInMessage = async (
  signed: SignedMessage,
  terms: SignInTerms,
): Promise<{ readonly address: string; readonly nonce: string }> => {
  const fields = await parse(signed.message)
  if (fields.address === undefined || fields.nonce === undefined) refuse('The message is not one of EIP-4361')
  checkPlace(fields, terms)
  const nonce = checkNonce(fields.nonce, terms)
  checkTimes(fields, terms)
  if (textOf(signed.message, fields) !== signed.message) refuse('The message is not one of EIP-4361')
  const address = String(fields.address).toLowerCase()
  if ((await signerOf(signed)).toLowerCase() !== address) refuse('The signature is not by the address of the message')
  return { address, nonce }
}
