/**
 * An order, address, transaction id or signature that has no encoding: wrong alphabet, length, checksum, range, or an
 * unknown chain or VM. The message names the field or format and never repeats the whole input.
 */
export class OrderEncodingError extends Error {
  override readonly name = 'OrderEncodingError'

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
  }
}
