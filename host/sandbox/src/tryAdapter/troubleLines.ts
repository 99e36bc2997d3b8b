import { readHostLog } from '../plugin/hostLog.js'

const TROUBLE = new Set(['warn', 'error', 'fatal'])
const SHOWN = 5

/** Size of a host's log in bytes. */
export const logSize = async (hostLog: string): Promise<number> =>
  (await readHostLog(hostLog, { after: 0, secrets: [] })).next

/** The last different warnings and errors behind a place in a host's log, as lines for people; empty when it has none. */
export const troubleLines = async (hostLog: string, after: number): Promise<readonly string[]> => {
  const { lines } = await readHostLog(hostLog, { after, secrets: [] })
  const texts = lines.filter(({ level }) => level !== null && TROUBLE.has(level)).map(({ text }) => text)
  const last = [...new Set(texts.toReversed())].slice(0, SHOWN).toReversed()
  return last.length === 0 ? [] : ['Last warnings of the host:', ...last.map((text) => `  ${text}`)]
}
