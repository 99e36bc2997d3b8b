import { keccak_256 } from '@noble/hashes/sha3.js'

/** Keccak-256 without Node and WebAssembly: for browsers and for constants. A host hashes by `keccak256.ts`, which is faster. */
export const portableKeccak256 = (bytes: Uint8Array): Uint8Array => keccak_256(bytes)
