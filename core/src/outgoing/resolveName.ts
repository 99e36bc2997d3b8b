import { promises as dns } from 'node:dns'

/** All addresses of a host name; empty when it has none. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>

const TIMEOUT_MS = 3_000

/**
 * Asks the name servers alone, without a thread: many names that nobody answers for hold up nothing else. Names of the hosts
 * file are not known to it.
 */
export const resolvePublicName = (): ResolveName => {
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/** Asks as the system does, with the hosts file and names of the local network. */
export const resolveSystemName: ResolveName = async (hostname) => {
  const answers = await dns.lookup(hostname, { all: true }).catch(() => [])
  return answers.map(({ address }) => address)
}
