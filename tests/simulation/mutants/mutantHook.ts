import type { InitializeHook, LoadHook } from 'node:module'
import type { MessagePort } from 'node:worker_threads'
import type { Mutant } from './mutant.js'
import { mutatedText } from './mutatedText.js'

/** What the hook is told when it is registered. */
export interface MutantHookData {
  readonly mutant: Mutant
  /** Address of its file, as modules are loaded. */
  readonly url: string
  /** Hears once when the file was loaded without its defence. */
  readonly port: MessagePort
}

let data: MutantHookData | null = null

/** Hook of `module.register`; runs in a thread of its own. */
export const initialize: InitializeHook<MutantHookData> = (given) => {
  data = given
}

/** Hook of `module.register`: the text of one file is another one, in memory alone. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context)
  if (data === null || url !== data.url) return loaded
  const source = mutatedText(data.mutant, String(loaded.source))
  data.port.postMessage('loaded')
  return { ...loaded, source }
}
