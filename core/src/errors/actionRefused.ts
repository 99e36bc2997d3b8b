/** What an operator asked for is not allowed now; the message says why and what to do instead. Nothing was changed. */
export class ActionRefusedError extends Error {
  override readonly name = 'ActionRefusedError'
}
