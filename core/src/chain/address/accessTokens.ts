/** Permission to read an account at the nodes of a chain, until a time. It moves no money. */
export interface AccessToken {
  readonly token: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/**
 * Tokens by which processes without a key of an account read it: a process with the key saves them (chains.md lvm 4). They are stored as
 * they are, because the processes that read and write them share no secret.
 */
export interface AccessTokens {
  /** Null where no token is stored; one that expired may be returned. */
  load(chainId: number, account: string): Promise<AccessToken | null>
  /** Stores a token in place of one that expires earlier. */
  save(chainId: number, account: string, token: AccessToken): Promise<void>
}
