/** What is piped into this process, to its end. Throws on a terminal, which would show a secret as it is typed. */
export const readPiped = async (): Promise<string> => {
  if (process.stdin.isTTY === true) {
    throw new Error('Pipe the key in, for example from a file, or name a variable with --from-env.')
  }
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
