import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Content, type Reply, reply } from '@causeway/core/plugin'

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

/** Written by `build/reference.mjs`. The path is the same from `src` and from `dist`. */
const FOLDER = fileURLToPath(new URL('../../../dist/reference/', import.meta.url))

/** The library that shows the description to people, from the folder that the build wrote. */
export interface ReferenceBundle {
  /** Contains the version, so browsers may cache the file permanently. */
  readonly fileName: string
  /** The library in the form that a client with this `Accept-Encoding` takes. */
  answer(acceptEncoding: string): Reply
}

/**
 * Finds the library's file. The file is read when it is first requested.
 * @throws Error when the build did not write it
 */
export const openReferenceBundle = (folder = FOLDER): ReferenceBundle => {
  const fileName = fileNameIn(folder)
  const read = (ending: string): Content => new Content(SCRIPT_TYPE, readFileSync(`${folder}${fileName}${ending}`))
  let plain: Content | undefined
  let compressed: Content | undefined
  return {
    fileName,
    answer: (acceptEncoding) => {
      const vary = { vary: 'accept-encoding' }
      if (/\bgzip\b/.test(acceptEncoding)) {
        compressed ??= read('.gz')
        return reply(compressed, { headers: { ...vary, 'content-encoding': 'gzip' } })
      }
      plain ??= read('')
      return reply(plain, { headers: vary })
    },
  }
}

const fileNameIn = (folder: string): string => {
  let names: readonly string[] = []
  try {
    names = readdirSync(folder)
  } catch {
    // The folder is missing: the error below says how to make it.
  }
  const name = names.find((file) => /^redoc-.*\.js$/.test(file))
  if (name === undefined) {
    throw new Error(
      `The library of the documentation page is not in ${folder}. Run: npm run build -w @causeway/host (or set http.documentation to false).`,
    )
  }
  return name
}
