import { readHostLog } from '../plugin/hostLog.js'

const TROUBLE = new Set(['warn', 'error', 'fatal'])
const SHOWN = 5

/** The last different warnings and errors of a host's log, as lines for people; empty when it has none. */
export const troubleLines = async (hostLog: string): Promise<readonly string[]> => {
  const { lines } = await readHostLog(hostLog, { after: 0, secrets: [] })
  const texts = lines.filter(({ level }) => level !== null && TROUBLE.has(level)).map(({ text }) => text)
  const last = [...new Set(texts.toReversed())].slice(0, SHOWN).toReversed()
  return last.length === 0 ? [] : ['Last warnings of the host:', ...last.map((text) => `  ${text}`)]
}
