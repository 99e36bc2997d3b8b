/** The sandbox cannot go on; the message says why and what to do. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}
