import { isIP } from 'node:net'
import { isPublicAddress } from './publicAddress.js'

export interface TargetRules {
  /** Addresses of private networks and any port are allowed: for receivers inside the operator's own network. */
  readonly allowPrivate: boolean
}

/** A URL given by a user that nothing may be sent to. The message is for that user and repeats no part of the URL. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

const MAX_LENGTH = 2048
const HTTPS_PORT = 443
const FIRST_FREE_PORT = 1024
/** Names that mean this machine or a local network wherever they are asked. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)\.?$/
/** One line of visible ASCII or letters of other alphabets; URL parsers drop line breaks and tabs without a word. */
const UNSEEN = /[\p{C}\p{Z}]/u

/** The address in a URL's host; null where it is a name. */
export const literalAddress = ({ hostname }: URL): string | null => {
  const text = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(text) === 0 ? null : text
}

/**
 * Reads a URL that requests will be sent to: HTTPS, no credentials, port 443 or one above 1023, and a host that is not local by
 * its spelling. What a name resolves to is checked at every connection (`OutgoingHttp`). International names come out in
 * their ASCII form, addresses in their usual one. @throws TargetRefused
 */
export const parseTarget = (text: string, { allowPrivate }: TargetRules): URL => {
  if (text.length > MAX_LENGTH) throw new TargetRefused(`The URL must have at most ${MAX_LENGTH} characters`)
  if (UNSEEN.test(text) || !URL.canParse(text)) throw new TargetRefused('The URL cannot be read')
  const url = new URL(text)
  if (url.protocol !== 'https:') throw new TargetRefused('The URL must begin with https://')
  if (url.username !== '' || url.password !== '') throw new TargetRefused('The URL must hold no user name or password')
  url.hash = ''
  if (allowPrivate) return url
  const port = url.port === '' ? HTTPS_PORT : Number(url.port)
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT) {
    throw new TargetRefused(`The URL must have the port ${HTTPS_PORT} or one above ${FIRST_FREE_PORT - 1}`)
  }
  const address = literalAddress(url)
  const local = address === null ? isLocalName(url.hostname) : !isPublicAddress(address)
  if (local) throw new TargetRefused('The URL must name a host on the public internet')
  return url
}

const isLocalName = (hostname: string): boolean =>
  LOCAL_NAME.test(hostname) || !hostname.replace(/\.$/, '').includes('.')
