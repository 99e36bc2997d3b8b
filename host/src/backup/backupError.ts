/** A backup cannot be made, read or put back; the message says why and what to do, without a URL or a password. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
