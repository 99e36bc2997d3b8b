import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { KeyPurpose, MasterPurpose, Signer } from '../chain/signer.js'
import type { Environment } from './environment.js'
import { token } from './tokens.js'

/** Facts of the deployment that several plugins need. */
export interface Deployment {
  readonly network: 'mainnet' | 'testnet'
  /** The service-name setting: the platform-fee key of a quote's feeSponsorship (wire.md K.1 13). */
  readonly serviceName: string
  readonly version: string
  /** Where this process serves HTTP: the address it listens on, and whether it speaks TLS itself. */
  readonly listener?: { readonly host: string; readonly tls: boolean }
  /** The listener of the operator console, where it has one of its own; `publicUrl`: how people reach it, an origin. */
  readonly consoleListener?: { readonly host: string; readonly tls: boolean; readonly publicUrl: string | null }
}

export const DEPLOYMENT = token<Deployment>('core/Deployment')
/** The pool as packages without a driver of their own name it. */
export type DatabasePool = Pool
/** One connection of it, in a transaction. */
export type DatabaseClient = PoolClient

/** The one pool of the money path and hot reads. */
export const POOL = token<Pool>('core/Pool')
/** Connections of their own for searches of the history: slow ones keep none from the money path. Plans statements once. */
export const SEARCH_POOL = token<Pool>('core/SearchPool')
export const LOGGER = token<Logger>('core/Logger')

/** Variables of the process, for plugins whose options name one; they have no other way to read it. */
export const ENVIRONMENT = token<Environment>('core/Environment')

/** Keys by purpose. A role has only the keys it needs. */
export interface Keys {
  /** Throws when this process was not given the key. */
  signer(purpose: KeyPurpose): Signer
  has(purpose: KeyPurpose): boolean
  /** 32 secret bytes derived from a master key, by default the present one, for one use (HKDF). Throws without that key. */
  derive(use: string, from?: MasterPurpose): Uint8Array
  /** 32 secret bytes from which the keys of deposit addresses are derived (`keys.hd`). Throws without that key. */
  seed(): Uint8Array
}

export const KEYS = token<Keys>('core/Keys')
