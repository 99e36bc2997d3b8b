/**
 * Bytes of the addresses and currencies of one VM, as they enter the order id (chains.md, row 2 of each VM).
 * Both directions throw `OrderEncodingError` on malformed input.
 */
export interface AddressCodec {
  /** Equal spellings of one account give equal bytes. */
  encode(text: string): Uint8Array
  /** The canonical spelling; what the bytes do not hold (letter case, TON's bounce flag) is not restored. */
  decode(bytes: Uint8Array): string
}

/** A codec that knows the VM's transaction ids as well. */
export interface VmCodec extends AddressCodec {
  /** Raw bytes of a transaction id in the chain's own spelling. */
  encodeTransactionId(id: string): Uint8Array
}
