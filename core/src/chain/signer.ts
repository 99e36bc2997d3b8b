/** The secrets that others are derived from. */
export type MasterPurpose = 'master' | 'previousMaster'

/**
 * What a key may do. A role is given only the purposes it needs (architecture.md 4). `allocator.<chainId>` is the
 * allocator of one chain, where it is another key than everywhere else. `previousMaster` is the master key that `master`
 * takes the place of. `origin.<chainId>` sends calls that strangers wrote, and its account holds nothing but gas. `operator` signs orders over the wallets, and is held by whoever runs the command, never by a host.
 */
export type KeyPurpose =
  | 'order'
  | 'allocator'
  | 'hd'
  | 'operator'
  | MasterPurpose
  | `payout.${number}`
  | `origin.${number}`
  | `allocator.${number}`

/**
 * Signs digests with one key. The key may live in the environment, a keystore or a remote service, so a signature can
 * take long or fail; callers check the recovered public key before they use it.
 */
export interface Signer {
  readonly scheme: 'secp256k1' | 'ed25519'
  /** secp256k1: 65 uncompressed bytes with the leading 4. ed25519: 32 bytes. */
  readonly publicKey: Uint8Array
  /** secp256k1: 32-byte digest in, 65 bytes r, s (low), v (27 or 28) out. ed25519: any message in, 64 bytes out. */
  sign(digest: Uint8Array): Promise<Uint8Array>
}
